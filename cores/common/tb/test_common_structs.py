# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Packed structs of a package: fields and widths are those of its declaration, and a value has its place."""

import pytest

from ullnic_tb.structs import pack, structs, unpack

PACKAGE = """package some_pkg;
  localparam int WIDTH = 3;
  typedef logic [WIDTH-1:0] part_t;
  typedef enum logic [1:0] {ONE, TWO} kind_e;
  typedef struct packed {
    part_t       part;
    logic [15:0] number;
  } inner_t;
  typedef struct packed {
    logic         valid;
    kind_e        kind;
    inner_t [1:0] inner;
  } outer_t;
endpackage
"""


@pytest.fixture
def package(tmp_path):
    path = tmp_path / "some_pkg.sv"
    path.write_text(PACKAGE)
    return path


def test_fields_are_those_of_the_declaration(package):
    found = structs(package)
    assert {name: [*fields.items()] for name, fields in found.items()} == {
        "inner_t": [("part", 3), ("number", 16)],
        "outer_t": [("valid", 1), ("kind", 2), ("inner", 38)],
    }


def test_a_value_has_its_place(package):
    fields = structs(package)["inner_t"]
    assert pack(fields, {"part": 5, "number": 7}) == 5 << 16 | 7
    assert unpack(fields, 5 << 16 | 7) == {"part": 5, "number": 7}
    assert pack(fields, {"number": 7}) == 7


@pytest.mark.parametrize("values", ({"part": 8}, {"part": -1}, {"parts": 1}))
def test_what_has_no_place_is_refused(package, values):
    with pytest.raises(AssertionError):
        pack(structs(package)["inner_t"], values)


def test_a_package_that_is_wrong_is_refused(package):
    package.write_text(PACKAGE.replace("part_t       part", "parts_t part"))
    with pytest.raises(AssertionError):
        structs(package)
