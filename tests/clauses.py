"""The marker that ties a test to the clauses of docs/rules: `@clause("T9", "T10")`."""

import pytest

clause = pytest.mark.clause
