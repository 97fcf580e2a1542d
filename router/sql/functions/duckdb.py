"""What DuckDB may run besides what every database has."""

AGGREGATES = """
    approx_quantile approx_top_k arbitrary arg_max arg_max_null arg_min arg_min_null argmax argmin bit_and bit_or
    bit_xor bool_and bool_or count_if count_star countif entropy favg first fsum geomean geometric_mean group_concat
    grouping_id histogram kahan_sum kurtosis kurtosis_pop last list mad max_by mean min_by mode product quantile
    quantile_cont quantile_disc reservoir_quantile sem skewness sumkahan wavg weighted_avg
"""
CONDITIONS = "constant_or_null error if ifnull try"
NUMBERS = """
    acosh add asinh atanh bar bin bit_count cbrt cosh divide even factorial fdiv fmod gamma gcd
    greatest_common_divisor isfinite isinf isnan lcm least_common_multiple lgamma multiply nextafter random
    round_even roundbankers signbit sinh subtract tanh to_base xor
"""
TEXT = """
    base64 bit_length chr contains damerau_levenshtein decode editdist3 encode ends_with even format format_bytes
    formatreadabledecimalsize formatreadablesize from_base64 from_hex hamming hash hex jaccard jaro_similarity
    jaro_winkler_similarity lcase left_grapheme len length_grapheme levenshtein like_escape md5 md5_number
    mismatches nfc_normalize ord parse_dirname parse_dirpath parse_filename parse_path prefix printf regexp_escape
    regexp_extract regexp_extract_all regexp_full_match regexp_matches regexp_replace regexp_split_to_array
    regexp_split_to_table repeat right_grapheme sha1 sha256 split starts_with str_split str_split_regex string_split
    string_split_regex string_to_array strip_accents strlen strpos substring_grapheme suffix to_base64 to_hex ucase
    unbin unhex unicode url_decode url_encode
"""
TIMES = """
    age ago century date date_add date_diff date_part date_sub date_trunc dateadd datediff datepart datesub
    datetrunc day dayname dayofmonth dayofweek dayofyear days_in_month decade epoch epoch_ms epoch_ns epoch_us era
    get_current_time get_current_timestamp hour isodow isoyear julian last_day make_date make_time make_timestamp
    make_timestamp_ms make_timestamp_ns make_timestamptz microsecond millennium millisecond minute month monthname
    nanosecond normalized_interval now quarter second strftime strptime time_bucket timezone timezone_hour
    timezone_minute to_centuries to_days to_decades to_hours to_microseconds to_millennia to_milliseconds to_minutes
    to_months to_quarters to_seconds to_timestamp to_weeks to_years today transaction_timestamp try_strptime week
    weekday weekofyear year yearweek
"""
LISTS = """
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
"""
STRUCTS = """
    map map_concat map_contains map_contains_entry map_contains_value map_entries map_extract map_extract_value
    map_from_entries map_keys map_values row struct_concat struct_contains struct_extract struct_extract_at
    struct_insert struct_keys struct_pack struct_update struct_values union_extract union_tag union_value
"""
JSON = """
    array_to_json from_json json json_array_length json_contains json_each json_extract json_extract_path
    json_extract_path_text json_extract_string json_group_array json_group_object json_group_structure json_keys
    json_merge_patch json_pretty json_quote json_structure json_transform json_tree json_type json_valid row_to_json
    to_json
"""
ROWS = "columns generate_series range unnest"
OTHERS = "equi_width_bins gen_random_uuid typeof uuid uuidv4 uuidv7"

NAMES = frozenset(
    f"{AGGREGATES} {CONDITIONS} {NUMBERS} {TEXT} {TIMES} {LISTS} {STRUCTS} {JSON} {ROWS} {OTHERS}".split()
)
