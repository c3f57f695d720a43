"""Runs statements of a file in ClickHouse: clickhouse.py USER_SCRIPTS FUNCTIONS STATEMENTS"""

import sys

import chdb

scripts, functions, statements = sys.argv[1:]
connection = chdb.connect(f":memory:?user_scripts_path={scripts}&user_defined_executable_functions_config={functions}")
with open(statements, encoding="utf-8") as file:
    for statement in file.read().split(";"):
        if statement.strip():
            sys.stdout.write(str(connection.query(statement, "TSV")))
