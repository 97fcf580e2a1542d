"""What MySQL and MariaDB may run besides what every database has."""

AGGREGATES = "bit_and bit_or bit_xor group_concat std"
CONDITIONS = "if ifnull interval isnull nvl"
NUMBERS = "bit_count conv crc32 format rand truncate"
TEXT = """
    bin bit_length char elt export_set field find_in_set from_base64 hex insert lcase locate make_set match md5 mid
    oct ord quote regexp_instr regexp_like regexp_replace regexp_substr repeat sha sha1 sha2 space strcmp
    substring_index to_base64 ucase unhex weight_string
"""
TIMES = """
    adddate addtime convert_tz curdate curtime date date_add date_format date_sub datediff day dayname dayofmonth
    dayofweek dayofyear from_days from_unixtime get_format hour last_day makedate maketime microsecond minute month
    monthname now period_add period_diff quarter sec_to_time second str_to_date subdate subtime sysdate time
    time_format time_to_sec timediff timestamp timestampadd timestampdiff to_days to_seconds unix_timestamp utc_date
    utc_time utc_timestamp week weekday weekofyear year yearweek
"""
CASTS = "binary convert"
JSON = """
    json_contains json_contains_path json_depth json_extract json_keys json_length json_merge_patch
    json_merge_preserve json_overlaps json_pretty json_quote json_remove json_replace json_search json_set
    json_table json_type json_unquote json_valid
"""
OTHERS = "against bin_to_uuid inet_aton inet_ntoa is_uuid row uuid uuid_to_bin values"

NAMES = frozenset(f"{AGGREGATES} {CONDITIONS} {NUMBERS} {TEXT} {TIMES} {CASTS} {JSON} {OTHERS}".split())
