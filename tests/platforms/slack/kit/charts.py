"""The block that draws a chart."""

from typing import Any

from tests.platforms.slack.kit.check import Check, Found, many, number, shape, string, typed

LABEL = string(20, 1)
POINT = shape({"label": LABEL, "value": number()})
SERIES = many(shape({"name": LABEL, "data": many(POINT, most=20)}), most=6)
AXIS = shape(
    {"categories": many(LABEL, most=20)},
    {"x_label": string(50, 1), "y_label": string(50, 1)},
)
SEGMENTS = many(shape({"label": LABEL, "value": number(0, above=True)}), most=6)
DRAWN = shape({"series": SERIES, "axis_config": AXIS})


def unique(values: list[Any], what: str, path: str, found: Found) -> None:
    """Demand that no two are alike."""
    if len({str(value) for value in values}) < len(values):
        found.say(f"{what} must be unique", path)


def drawn(value: Any, path: str, found: Found) -> None:
    """Check a chart with axes: every series has every category, once."""
    before = len(found.problems)
    DRAWN(value, path, found)
    if len(found.problems) > before:
        return
    categories = value["axis_config"]["categories"]
    unique(categories, "categories", f"{path}/axis_config/categories", found)
    unique([series["name"] for series in value["series"]], "series names", f"{path}/series", found)
    for number_, series in enumerate(value["series"]):
        if sorted(point["label"] for point in series["data"]) != sorted(categories):
            found.say("data labels must match axis_config.categories", f"{path}/series/{number_}/data")


def pie(value: Any, path: str, found: Found) -> None:
    """Check a pie: one to six segments, each above nothing."""
    before = len(found.problems)
    shape({"segments": SEGMENTS})(value, path, found)
    if len(found.problems) == before:
        unique([each["label"] for each in value["segments"]], "segment labels", f"{path}/segments", found)


CHARTS: dict[str, Check] = {"bar": drawn, "line": drawn, "area": drawn, "pie": pie}
DATA_VISUALIZATION = shape({"title": string(50, 1), "chart": typed(CHARTS)})
