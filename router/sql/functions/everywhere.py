"""Functions that mean the same, and do no harm, in every database that has them."""

AGGREGATES = """
    any_value approx_count_distinct array_agg avg corr count covar_pop covar_samp grouping listagg max median min
    percentile_cont percentile_disc regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx
    regr_sxy regr_syy stddev stddev_pop stddev_samp string_agg sum var_pop var_samp variance
"""
WINDOWS = "cume_dist dense_rank first_value lag last_value lead nth_value ntile percent_rank rank row_number"
CONDITIONS = "coalesce exists greatest least nullif"
NUMBERS = """
    abs acos asin atan atan2 ceil ceiling cos cot degrees exp floor ln log log10 log2 mod pi pow power radians round
    sign sin sqrt tan trunc
"""
TEXT = """
    ascii char_length character_length concat concat_ws initcap instr left length lower lpad ltrim octet_length
    overlay position replace reverse right rpad rtrim soundex split_part substr substring translate trim upper
"""
TIMES = "current_date current_time current_timestamp extract localtime localtimestamp"
CASTS = "cast try_cast"
JSON = "json_array json_arrayagg json_exists json_object json_objectagg json_query json_value"

NAMES = frozenset(f"{AGGREGATES} {WINDOWS} {CONDITIONS} {NUMBERS} {TEXT} {TIMES} {CASTS} {JSON}".split())
