"""The functions that may run, by database: whatever is not on a list is refused.

A list holds the names as the database calls them, because the guard compares them with the text that will run.
To allow a function, put its name into its database's list, after making sure that it only computes: it reads no file,
no network, no setting, no table by name, changes nothing and does not wait.
"""

from collections.abc import Mapping

from router.sql.dialect import Name


def names_of(**by_purpose: str) -> frozenset[str]:
    """Return the names in all lists; what a list is called is for readers alone."""
    return frozenset(name for names in by_purpose.values() for name in names.split())


# Functions that may stand in FROM, with the columns of the rows that they give.
#
# ALIAS stands for a column that is called as the function's alias, or as the function where it has none.

ALIAS = ""
"""A column without a name of its own."""

_JSON_TREE = ("key", "value", "type", "atom", "id", "parent", "fullkey", "path")
_PAIRS = ("key", "value")

OUTPUTS: Mapping[Name, Mapping[str, tuple[str, ...]]] = {
    "sqlite": {
        "json_each": (*_JSON_TREE, "json", "root"),
        "json_tree": (*_JSON_TREE, "json", "root"),
        "generate_series": ("value", "start", "stop", "step"),
    },
    "duckdb": {
        "generate_series": (ALIAS, "generate_series"),
        "json_each": (*_JSON_TREE, "rowid"),
        "json_tree": (*_JSON_TREE, "rowid"),
        "range": (ALIAS, "range"),
        "regexp_split_to_table": (ALIAS, "unnest"),
        "unnest": (ALIAS, "unnest"),
    },
    "postgres": {
        "generate_series": (ALIAS,),
        "generate_subscripts": (ALIAS,),
        "json_array_elements": ("value",),
        "json_array_elements_text": ("value",),
        "json_each": _PAIRS,
        "json_each_text": _PAIRS,
        "json_object_keys": (ALIAS,),
        "json_table": (),
        "json_to_record": (),
        "json_to_recordset": (),
        "jsonb_array_elements": ("value",),
        "jsonb_array_elements_text": ("value",),
        "jsonb_each": _PAIRS,
        "jsonb_each_text": _PAIRS,
        "jsonb_object_keys": (ALIAS,),
        "jsonb_path_query": (ALIAS,),
        "jsonb_to_record": (),
        "jsonb_to_recordset": (),
        "regexp_matches": (ALIAS,),
        "regexp_split_to_table": (ALIAS,),
        "string_to_table": (ALIAS,),
        "unnest": (ALIAS,),
    },
    "oracle": {"json_table": ()},
    "mysql": {"json_table": ()},
    "tsql": {
        "generate_series": ("value",),
        "openjson": ("key", "value", "type"),
        "string_split": ("value", "ordinal"),
    },
}
"""By dialect and name; without columns, those are the ones that the statement itself declares."""


# SQLite.

SQLITE_FUNCTIONS = names_of(
    aggregates="group_concat json_group_array json_group_object percentile total",
    conditions="if ifnull iif likelihood likely unlikely",
    numbers="acosh asinh atanh cosh random sinh tanh",
    text="char format glob hex like printf quote regexp typeof unhex unicode unistr",
    times="date datetime julianday strftime time timediff unixepoch",
    json="""
        json json_array_length json_each json_error_position json_extract json_insert json_patch json_pretty json_quote
        json_remove json_replace json_set json_tree json_type json_valid jsonb jsonb_extract
    """,
    rows="generate_series",
    search="bm25 highlight snippet",
)


# DuckDB.

DUCKDB_FUNCTIONS = names_of(
    aggregates="""
        approx_quantile approx_top_k arbitrary arg_max arg_max_null arg_min arg_min_null argmax argmin bit_and bit_or
        bit_xor bool_and bool_or count_if count_star countif entropy favg first fsum geomean geometric_mean group_concat
        grouping_id histogram kahan_sum kurtosis kurtosis_pop last list mad max_by mean min_by mode product quantile
        quantile_cont quantile_disc reservoir_quantile sem skewness sumkahan wavg weighted_avg
    """,
    conditions="constant_or_null error if ifnull try",
    numbers="""
        acosh add asinh atanh bar bin bit_count cbrt cosh divide even factorial fdiv fmod gamma gcd
        greatest_common_divisor isfinite isinf isnan lcm least_common_multiple lgamma multiply nextafter random
        round_even roundbankers signbit sinh subtract tanh to_base xor
    """,
    text="""
        base64 bit_length chr contains damerau_levenshtein decode editdist3 encode ends_with even format format_bytes
        formatreadabledecimalsize formatreadablesize from_base64 from_hex hamming hash hex jaccard jaro_similarity
        jaro_winkler_similarity lcase left_grapheme len length_grapheme levenshtein like_escape md5 md5_number
        mismatches nfc_normalize ord parse_dirname parse_dirpath parse_filename parse_path prefix printf regexp_escape
        regexp_extract regexp_extract_all regexp_full_match regexp_matches regexp_replace regexp_split_to_array
        regexp_split_to_table repeat right_grapheme sha1 sha256 split starts_with str_split str_split_regex string_split
        string_split_regex string_to_array strip_accents strlen strpos substring_grapheme suffix to_base64 to_hex ucase
        unbin unhex unicode url_decode url_encode
    """,
    times="""
        age ago century date date_add date_diff date_part date_sub date_trunc dateadd datediff datepart datesub
        datetrunc day dayname dayofmonth dayofweek dayofyear days_in_month decade epoch epoch_ms epoch_ns epoch_us era
        get_current_time get_current_timestamp hour isodow isoyear julian last_day make_date make_time make_timestamp
        make_timestamp_ms make_timestamp_ns make_timestamptz microsecond millennium millisecond minute month monthname
        nanosecond normalized_interval now quarter second strftime strptime time_bucket timezone timezone_hour
        timezone_minute to_centuries to_days to_decades to_hours to_microseconds to_millennia to_milliseconds to_minutes
        to_months to_quarters to_seconds to_timestamp to_weeks to_years today transaction_timestamp try_strptime week
        weekday weekofyear year yearweek
    """,
    lists="""
        aggregate apply array array_aggr array_aggregate array_append array_apply array_cat array_concat array_contains
        array_cosine_distance array_cosine_similarity array_cross_product array_distance array_distinct
        array_dot_product array_extract array_filter array_grade_up array_has array_has_all array_has_any array_indexof
        array_inner_product array_intersect array_length array_pop_back array_pop_front array_position array_prepend
        array_push_back array_push_front array_reduce array_reverse array_reverse_sort array_select array_slice
        array_sort array_to_string array_transform array_unique array_value array_where array_zip cardinality element_at
        filter flatten generate_subscripts grade_up list_aggr list_aggregate list_any_value list_append list_apply
        list_avg list_cat list_concat list_contains list_cosine_distance list_cosine_similarity list_count list_distance
        list_distinct list_dot_product list_element list_entropy list_extract list_filter list_first list_grade_up
        list_has list_has_all list_has_any list_histogram list_indexof list_inner_product list_intersect list_last
        list_mad list_max list_median list_min list_mode list_pack list_position list_prepend list_product list_reduce
        list_resize list_reverse list_reverse_sort list_select list_skewness list_slice list_sort list_stddev_pop
        list_stddev_samp list_string_agg list_sum list_transform list_unique list_value list_var_pop list_var_samp
        list_where list_zip reduce unpivot_list
    """,
    structs="""
        map map_concat map_contains map_contains_entry map_contains_value map_entries map_extract map_extract_value
        map_from_entries map_keys map_values row struct_concat struct_contains struct_extract struct_extract_at
        struct_insert struct_keys struct_pack struct_update struct_values union_extract union_tag union_value
    """,
    json="""
        array_to_json from_json json json_array_length json_contains json_each json_extract json_extract_path
        json_extract_path_text json_extract_string json_group_array json_group_object json_group_structure json_keys
        json_merge_patch json_pretty json_quote json_structure json_transform json_tree json_type json_valid row_to_json
        to_json
    """,
    rows="columns generate_series range unnest",
    others="equi_width_bins gen_random_uuid typeof uuid uuidv4 uuidv7",
)


# SQL Server.

TSQL_FUNCTIONS = names_of(
    aggregates="checksum_agg count_big grouping_id stdev stdevp var varp",
    conditions="choose iif isnull",
    numbers="atn2 bit_count checksum isnumeric log rand square",
    text="""
        binary_checksum char charindex datalength difference format hashbytes len nchar patindex quotename replicate
        space str string_escape string_split stuff unicode
    """,
    times="""
        date_bucket dateadd datediff datediff_big datefromparts datename datepart datetime2fromparts datetimefromparts
        datetimeoffsetfromparts datetrunc day eomonth getdate getutcdate isdate month smalldatetimefromparts
        switchoffset sysdatetime sysdatetimeoffset sysutcdatetime timefromparts todatetimeoffset year
    """,
    casts="convert parse try_convert try_parse",
    json="isjson json_modify json_path_exists openjson",
    others="generate_series newid",
    search="contains freetext",
    for_clause="auto elements path raw root",
)


# Oracle.

ORACLE_FUNCTIONS = names_of(
    aggregates="""
        approx_count approx_median approx_percentile approx_rank approx_sum bit_and_agg bit_or_agg bit_xor_agg collect
        first group_id grouping_id kurtosis_pop kurtosis_samp last rank ratio_to_report skewness_pop skewness_samp
        stats_mode wm_concat
    """,
    conditions="decode lnnvl nanvl nvl nvl2",
    numbers="bin_to_num bitand cosh remainder sinh tanh to_binary_double to_binary_float to_number width_bucket",
    text="""
        chr compose convert decompose dump hextoraw lengthb lengthc nchr nls_initcap nls_lower nls_upper nlssort
        ora_hash rawtohex regexp_count regexp_instr regexp_like regexp_replace regexp_substr standard_hash substrb
        to_char to_clob to_multi_byte to_nchar to_single_byte unistr vsize
    """,
    times="""
        add_months from_tz last_day months_between new_time next_day numtodsinterval numtoyminterval sys_extract_utc
        to_date to_dsinterval to_timestamp to_timestamp_tz to_yminterval tz_offset
    """,
    json="json_dataguide json_equal json_mergepatch json_scalar json_serialize json_table json_textcontains",
    trees="connect_by_root sys_connect_by_path",
    others="cardinality sys_guid validate_conversion",
)


# MySQL and MariaDB.

MYSQL_FUNCTIONS = names_of(
    aggregates="bit_and bit_or bit_xor group_concat std",
    conditions="if ifnull interval isnull nvl",
    numbers="bit_count conv crc32 format rand truncate",
    text="""
        bin bit_length char elt export_set field find_in_set from_base64 hex insert lcase locate make_set match md5 mid
        oct ord quote regexp_instr regexp_like regexp_replace regexp_substr repeat sha sha1 sha2 space strcmp
        substring_index to_base64 ucase unhex weight_string
    """,
    times="""
        adddate addtime convert_tz curdate curtime date date_add date_format date_sub datediff day dayname dayofmonth
        dayofweek dayofyear from_days from_unixtime get_format hour last_day makedate maketime microsecond minute month
        monthname now period_add period_diff quarter sec_to_time second str_to_date subdate subtime sysdate time
        time_format time_to_sec timediff timestamp timestampadd timestampdiff to_days to_seconds unix_timestamp utc_date
        utc_time utc_timestamp week weekday weekofyear year yearweek
    """,
    casts="binary convert",
    json="""
        json_contains json_contains_path json_depth json_extract json_keys json_length json_merge_patch
        json_merge_preserve json_overlaps json_pretty json_quote json_remove json_replace json_search json_set
        json_table json_type json_unquote json_valid
    """,
    others="against bin_to_uuid inet_aton inet_ntoa is_uuid row uuid uuid_to_bin values",
)


# PostgreSQL.

POSTGRES_FUNCTIONS = names_of(
    aggregates="""
        bit_and bit_or bit_xor bool_and bool_or every json_agg json_object_agg jsonb_agg jsonb_object_agg mode range_agg
        range_intersect_agg
    """,
    conditions="num_nonnulls num_nulls",
    numbers="""
        acosd acosh asind asinh atan2d atand atanh cbrt cosd cosh cotd div erf erfc factorial gcd lcm min_scale random
        random_normal scale sind sinh tand tanh to_number trim_scale width_bucket
    """,
    text="""
        ascii bit_count bit_length btrim casefold chr decode encode format from_base64 get_byte levenshtein like_regex
        md5 metaphone normalize parse_ident quote_ident quote_literal quote_nullable regexp_count regexp_instr
        regexp_like regexp_match regexp_matches regexp_replace regexp_split_to_array regexp_split_to_table regexp_substr
        repeat sha224 sha256 sha384 sha512 similarity starts_with strict_word_similarity string_to_array string_to_table
        strpos to_ascii to_hex unaccent unistr word_similarity
    """,
    times="""
        age clock_timestamp date date_add date_bin date_part date_subtract date_trunc interval isfinite justify_days
        justify_hours justify_interval make_date make_interval make_time make_timestamp make_timestamptz now
        statement_timestamp time timeofday timestamp timestamptz timezone to_char to_date to_timestamp
        transaction_timestamp
    """,
    arrays="""
        all any array array_append array_cat array_dims array_fill array_length array_lower array_ndims array_position
        array_positions array_prepend array_remove array_replace array_reverse array_sample array_shuffle array_sort
        array_to_string array_upper cardinality generate_subscripts row trim_array
    """,
    ranges="""
        daterange int4range int8range isempty lower_inc lower_inf multirange numrange range_merge tsrange tstzrange
        upper_inc upper_inf
    """,
    json="""
        array_to_json json_array_elements json_array_elements_text json_array_length json_build_array json_build_object
        json_each json_each_text json_extract_path json_extract_path_text json_object_keys json_scalar json_serialize
        json_strip_nulls json_table json_to_record json_to_recordset json_typeof jsonb_array_elements
        jsonb_array_elements_text jsonb_array_length jsonb_build_array jsonb_build_object jsonb_each jsonb_each_text
        jsonb_extract_path jsonb_extract_path_text jsonb_insert jsonb_object jsonb_object_keys jsonb_path_exists
        jsonb_path_match jsonb_path_query jsonb_path_query_array jsonb_path_query_first jsonb_pretty jsonb_set
        jsonb_strip_nulls jsonb_to_record jsonb_to_recordset jsonb_typeof row_to_json to_json to_jsonb
    """,
    search="""
        phraseto_tsquery plainto_tsquery setweight to_tsquery to_tsvector ts_headline ts_rank ts_rank_cd
        tsvector_to_array websearch_to_tsquery
    """,
    casts="bool char float4 float8 int2 int4 int8 numeric text varchar",
    rows="generate_series unnest",
    others="""
        abbrev gen_random_uuid host inet_merge masklen netmask network uuid_extract_timestamp uuidv4 uuidv7
    """,
)


# Functions that mean the same, and do no harm, in every database that has them.

COMMON_FUNCTIONS = names_of(
    aggregates="""
        any_value approx_count_distinct array_agg avg corr count covar_pop covar_samp grouping listagg max median min
        percentile_cont percentile_disc regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx
        regr_sxy regr_syy stddev stddev_pop stddev_samp string_agg sum var_pop var_samp variance
    """,
    windows="cume_dist dense_rank first_value lag last_value lead nth_value ntile percent_rank rank row_number",
    conditions="coalesce exists greatest least nullif",
    numbers="""
        abs acos asin atan atan2 ceil ceiling cos cot degrees exp floor ln log log10 log2 mod pi pow power radians round
        sign sin sqrt tan trunc
    """,
    text="""
        ascii char_length character_length concat concat_ws initcap instr left length lower lpad ltrim octet_length
        overlay position replace reverse right rpad rtrim soundex split_part substr substring translate trim upper
    """,
    times="current_date current_time current_timestamp extract localtime localtimestamp",
    casts="cast try_cast",
    json="json_array json_arrayagg json_exists json_object json_objectagg json_query json_value",
)


ALLOWED: dict[Name, frozenset[str]] = {
    "sqlite": COMMON_FUNCTIONS | SQLITE_FUNCTIONS,
    "duckdb": COMMON_FUNCTIONS | DUCKDB_FUNCTIONS,
    "postgres": COMMON_FUNCTIONS | POSTGRES_FUNCTIONS,
    "oracle": COMMON_FUNCTIONS | ORACLE_FUNCTIONS,
    "mysql": COMMON_FUNCTIONS | MYSQL_FUNCTIONS,
    "tsql": COMMON_FUNCTIONS | TSQL_FUNCTIONS,
}


def unlisted_function(name: str) -> str:
    """Return the refusal of a function that is not on the list."""
    return f"The function {name[:60]} is not on the list of functions that may run."
