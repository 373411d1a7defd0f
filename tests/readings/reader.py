"""Parses strings with PyYAML: an array of strings on stdin, an array of results on stdout."""

import datetime
import json
import sys

import yaml


def plain(value):
    if isinstance(value, (list, datetime.date)):
        return "list"
    if value is None:
        return "null"
    if isinstance(value, dict):
        return "mapping"
    if isinstance(value, bool):
        return str(value).lower()
    return "s:" + value if isinstance(value, str) else "number"


def read(text):
    try:
        value = yaml.safe_load(text)
        if value is None:
            return {}
        if not isinstance(value, dict):
            return None
        return {key if isinstance(key, str) else json.dumps(key, default=str): plain(value) for key, value in value.items()}
    except Exception:
        return None


json.dump([read(text) for text in json.load(sys.stdin)], sys.stdout)
