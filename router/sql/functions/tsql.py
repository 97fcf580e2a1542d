"""What SQL Server may run besides what every database has."""

AGGREGATES = "checksum_agg count_big grouping_id stdev stdevp var varp"
CONDITIONS = "choose iif isnull"
NUMBERS = "atn2 bit_count checksum isnumeric log rand square"
TEXT = """
    binary_checksum char charindex datalength difference format hashbytes len nchar patindex quotename replicate
    space str string_escape string_split stuff unicode
"""
TIMES = """
    date_bucket dateadd datediff datediff_big datefromparts datename datepart datetime2fromparts datetimefromparts
    datetimeoffsetfromparts datetrunc day eomonth getdate getutcdate isdate month smalldatetimefromparts
    switchoffset sysdatetime sysdatetimeoffset sysutcdatetime timefromparts todatetimeoffset year
"""
CASTS = "convert parse try_convert try_parse"
JSON = "isjson json_modify json_path_exists openjson"
OTHERS = "generate_series newid"
SEARCH = "contains freetext"
FOR = "auto elements path raw root"

NAMES = frozenset(f"{AGGREGATES} {CONDITIONS} {NUMBERS} {TEXT} {TIMES} {CASTS} {JSON} {OTHERS} {SEARCH} {FOR}".split())
