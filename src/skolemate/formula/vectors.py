"""Arithmetic on numbers in binary: vectors of literals, the lowest bit first along the last axis.

All functions work on families: the axes before the last are broadcast against each other.
"""

from __future__ import annotations

import numpy as np

from skolemate.formula.builder import FALSE, TRUE, constants
from skolemate.formula.circuit_builder import CircuitBuilder
from skolemate.formula.formula import Literals

__all__ = ["equal", "equal_to", "less_than", "minus", "plus", "unequal_bits"]


def equal(builder: CircuitBuilder, one: Literals, other: Literals) -> Literals:
    """Whether two vectors are the same number; the shorter is filled up with zeros."""
    width = max(one.shape[-1], other.shape[-1])
    one, other = _widened(one, width), _widened(other, width)
    return builder.all_of([builder.any_of(-one, other)], [builder.any_of(one, -other)])


def equal_to(builder: CircuitBuilder, vector: Literals, number: int) -> Literals:
    """Whether a vector is a given number."""
    bits = vector.shape[-1]
    if not 0 <= number < 1 << bits:
        return constants(FALSE, *vector.shape[:-1])
    signs = np.array([1 if number >> bit & 1 else -1 for bit in range(bits)], np.int32)
    return builder.all_of([vector * signs])


def less_than(builder: CircuitBuilder, vector: Literals, bound: int) -> Literals:
    """Whether a vector is less than a given number.

    From the lowest bit up: at a 1 of the bound a 0 makes it less, whatever is below; at a 0 of the
    bound a 1 makes it greater.
    """
    bits = vector.shape[-1]
    if bound >= 1 << bits:
        return constants(TRUE, *vector.shape[:-1])
    less = constants(FALSE, *vector.shape[:-1])
    for bit in range(bits if bound > 0 else 0):
        step = builder.any_of if bound >> bit & 1 else builder.all_of
        less = step(-vector[..., bit], less)
    return less


def plus(builder: CircuitBuilder, vector: Literals, number: int) -> Literals:
    """A vector plus a given number, as many bits: a carry out of the highest is lost."""
    carry = constants(FALSE, *vector.shape[:-1])
    result = []
    for bit in range(vector.shape[-1]):
        digit = vector[..., bit]
        differ = unequal_bits(builder, digit, carry)
        if number >> bit & 1:
            result.append(-differ)
            carry = builder.any_of(digit, carry)
        else:
            result.append(differ)
            carry = builder.all_of(digit, carry)
    return np.stack(result, axis=-1) if result else vector


def minus(builder: CircuitBuilder, vector: Literals, number: int) -> Literals:
    """A vector minus a given number, as many bits: the sum with the two's complement."""
    return plus(builder, vector, -number)


def unequal_bits(builder: CircuitBuilder, one: Literals, other: Literals) -> Literals:
    """Exclusive or, literal by literal."""
    return builder.all_of(builder.any_of(one, other), builder.any_of(-one, -other))


def _widened(vector: Literals, width: int) -> Literals:
    missing = width - vector.shape[-1]
    return np.concatenate([vector, constants(FALSE, *vector.shape[:-1], missing)], axis=-1)
