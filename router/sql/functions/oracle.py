"""What Oracle may run besides what every database has."""

AGGREGATES = """
    approx_count approx_median approx_percentile approx_rank approx_sum bit_and_agg bit_or_agg bit_xor_agg collect
    first group_id grouping_id kurtosis_pop kurtosis_samp last rank ratio_to_report skewness_pop skewness_samp
    stats_mode wm_concat
"""
CONDITIONS = "decode lnnvl nanvl nvl nvl2"
NUMBERS = "bin_to_num bitand cosh remainder sinh tanh to_binary_double to_binary_float to_number width_bucket"
TEXT = """
    chr compose convert decompose dump hextoraw lengthb lengthc nchr nls_initcap nls_lower nls_upper nlssort
    ora_hash rawtohex regexp_count regexp_instr regexp_like regexp_replace regexp_substr standard_hash substrb
    to_char to_clob to_multi_byte to_nchar to_single_byte unistr vsize
"""
TIMES = """
    add_months from_tz last_day months_between new_time next_day numtodsinterval numtoyminterval sys_extract_utc
    to_date to_dsinterval to_timestamp to_timestamp_tz to_yminterval tz_offset
"""
JSON = "json_dataguide json_equal json_mergepatch json_scalar json_serialize json_table json_textcontains"
TREES = "connect_by_root sys_connect_by_path"
OTHERS = "cardinality sys_guid validate_conversion"

NAMES = frozenset(f"{AGGREGATES} {CONDITIONS} {NUMBERS} {TEXT} {TIMES} {JSON} {TREES} {OTHERS}".split())
