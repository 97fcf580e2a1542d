"""What PostgreSQL may run besides what every database has."""

AGGREGATES = """
    bit_and bit_or bit_xor bool_and bool_or every json_agg json_object_agg jsonb_agg jsonb_object_agg mode range_agg
    range_intersect_agg
"""
CONDITIONS = "num_nonnulls num_nulls"
NUMBERS = """
    acosd acosh asind asinh atan2d atand atanh cbrt cosd cosh cotd div erf erfc factorial gcd lcm min_scale random
    random_normal scale sind sinh tand tanh to_number trim_scale width_bucket
"""
TEXT = """
    ascii bit_count bit_length btrim casefold chr decode encode format from_base64 get_byte levenshtein like_regex
    md5 metaphone normalize parse_ident quote_ident quote_literal quote_nullable regexp_count regexp_instr
    regexp_like regexp_match regexp_matches regexp_replace regexp_split_to_array regexp_split_to_table regexp_substr
    repeat sha224 sha256 sha384 sha512 similarity starts_with strict_word_similarity string_to_array string_to_table
    strpos to_ascii to_hex unaccent unistr word_similarity
"""
TIMES = """
    age clock_timestamp date date_add date_bin date_part date_subtract date_trunc interval isfinite justify_days
    justify_hours justify_interval make_date make_interval make_time make_timestamp make_timestamptz now
    statement_timestamp time timeofday timestamp timestamptz timezone to_char to_date to_timestamp
    transaction_timestamp
"""
ARRAYS = """
    all any array array_append array_cat array_dims array_fill array_length array_lower array_ndims array_position
    array_positions array_prepend array_remove array_replace array_reverse array_sample array_shuffle array_sort
    array_to_string array_upper cardinality generate_subscripts row trim_array
"""
RANGES = """
    daterange int4range int8range isempty lower_inc lower_inf multirange numrange range_merge tsrange tstzrange
    upper_inc upper_inf
"""
JSON = """
    array_to_json json_array_elements json_array_elements_text json_array_length json_build_array json_build_object
    json_each json_each_text json_extract_path json_extract_path_text json_object_keys json_scalar json_serialize
    json_strip_nulls json_table json_to_record json_to_recordset json_typeof jsonb_array_elements
    jsonb_array_elements_text jsonb_array_length jsonb_build_array jsonb_build_object jsonb_each jsonb_each_text
    jsonb_extract_path jsonb_extract_path_text jsonb_insert jsonb_object jsonb_object_keys jsonb_path_exists
    jsonb_path_match jsonb_path_query jsonb_path_query_array jsonb_path_query_first jsonb_pretty jsonb_set
    jsonb_strip_nulls jsonb_to_record jsonb_to_recordset jsonb_typeof row_to_json to_json to_jsonb
"""
SEARCH = """
    phraseto_tsquery plainto_tsquery setweight to_tsquery to_tsvector ts_headline ts_rank ts_rank_cd
    tsvector_to_array websearch_to_tsquery
"""
CASTS = "bool char float4 float8 int2 int4 int8 numeric text varchar"
ROWS = "generate_series unnest"
OTHERS = "abbrev gen_random_uuid host inet_merge masklen netmask network pg_typeof uuid_extract_timestamp uuidv4 uuidv7"

_PLAIN = f"{AGGREGATES} {CONDITIONS} {NUMBERS} {TEXT} {TIMES} {CASTS} {ROWS} {OTHERS}"
NAMES = frozenset(f"{_PLAIN} {ARRAYS} {RANGES} {JSON} {SEARCH}".split())
