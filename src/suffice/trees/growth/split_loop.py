"""Pieces of the loop that grows trees: sums of the bins of a node, their loss, and the best boundary between them."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.numerics.loop import inner


@inner
def loss_of(sums: Any, measure: Any) -> Any:
    """Weight times impurity of sums (S,), and the weight."""
    if measure == -1:
        w = max(sums[0], 1e-300)
        return max(sums[2] - sums[1] * sums[1] / w, 0.0), sums[0]
    total = 0.0
    for k in range(sums.shape[0]):
        total += sums[k]
    if total <= 0.0:
        return 0.0, 0.0
    if measure == 0:
        top = 0.0
        for k in range(sums.shape[0]):
            top = max(top, sums[k])
        return total - top, total
    if measure == 2:
        bits = 0.0
        for k in range(sums.shape[0]):
            if sums[k] > 0.0:
                bits -= sums[k] * np.log2(sums[k] / total)
        return bits, total
    squares = 0.0
    for k in range(sums.shape[0]):
        squares += (sums[k] / total) * (sums[k] / total)
    if measure == 1:
        return total * (1.0 - squares), total
    return total * np.sqrt(max(1.0 - squares, 0.0) / 2.0), total


@inner
def _in_order(
    codes: Any,
    column: Any,
    label: Any,
    off: Any,
    w: Any,
    order: Any,
    start: Any,
    stop: Any,
    S: Any,
    numbers: Any,
    places: Any,
    counts: Any,
    cells: Any,
    lost: Any,
) -> Any:
    """The same where the rows of the node lie in the order of their cells, missing ones first."""
    gone = 0
    for s in range(S):
        lost[s] = 0.0
    found = -1
    last = -1
    for i in range(start, stop):
        r = order[column, i]
        code = codes[r, column]
        if code < 0:
            gone += 1
            if numbers:
                lost[0] += w[r]
                lost[1] += w[r] * off[r]
                lost[2] += w[r] * off[r] * off[r]
            else:
                lost[label[r]] += w[r]
            continue
        if code != last:
            found += 1
            last = code
            places[found] = code
            counts[found] = 0
            for s in range(S):
                cells[found, s] = 0.0
        counts[found] += 1
        if numbers:
            cells[found, 0] += w[r]
            cells[found, 1] += w[r] * off[r]
            cells[found, 2] += w[r] * off[r] * off[r]
        else:
            cells[found, label[r]] += w[r]
    return found + 1, gone


@inner
def gather(
    codes: Any,
    column: Any,
    label: Any,
    off: Any,
    w: Any,
    rows: Any,
    start: Any,
    stop: Any,
    B: Any,
    S: Any,
    numbers: Any,
    places: Any,
    counts: Any,
    cells: Any,
    keys: Any,
    lost: Any,
    order: Any,
    sorted_once: Any,
) -> Any:
    """Sums of the bins of a column in a node, those that have rows, in order; how many, and rows that are missing."""
    if sorted_once:
        return _in_order(codes, column, label, off, w, order, start, stop, S, numbers, places, counts, cells, lost)
    low, high, gone = B, -1, 0
    for s in range(S):
        lost[s] = 0.0
    m = 0
    for i in range(start, stop):
        code = codes[rows[i], column]
        if code < 0:
            gone += 1
            r = rows[i]
            if numbers:
                lost[0] += w[r]
                lost[1] += w[r] * off[r]
                lost[2] += w[r] * off[r] * off[r]
            else:
                lost[label[r]] += w[r]
        else:
            low, high = min(low, code), max(high, code)
            m += 1
    if m == 0 or (low == high and gone == 0):
        return (0 if m == 0 else 1), gone
    if high - low + 1 <= 3 * m + 64:
        for b in range(high - low + 1):
            counts[b] = 0
            for s in range(S):
                cells[b, s] = 0.0
        for i in range(start, stop):
            r = rows[i]
            code = codes[r, column]
            if code >= 0:
                b = code - low
                counts[b] += 1
                if numbers:
                    cells[b, 0] += w[r]
                    cells[b, 1] += w[r] * off[r]
                    cells[b, 2] += w[r] * off[r] * off[r]
                else:
                    cells[b, label[r]] += w[r]
        found = 0
        for b in range(high - low + 1):
            if counts[b] > 0:
                places[found] = b + low
                if found != b:
                    counts[found] = counts[b]
                    for s in range(S):
                        cells[found, s] = cells[b, s]
                found += 1
        return found, gone
    m = 0
    for i in range(start, stop):
        code = codes[rows[i], column]
        if code >= 0:
            keys[m] = (np.int64(code) << 32) | rows[i]
            m += 1
    if m <= 24:
        for i in range(1, m):
            key = keys[i]
            j = i - 1
            while j >= 0 and keys[j] > key:
                keys[j + 1] = keys[j]
                j -= 1
            keys[j + 1] = key
    else:
        keys[:m].sort()
    found = -1
    last = np.int64(-1)
    for i in range(m):
        code = keys[i] >> 32
        r = keys[i] & 0xFFFFFFFF
        if code != last:
            found += 1
            last = code
            places[found] = code
            counts[found] = 0
            for s in range(S):
                cells[found, s] = 0.0
        counts[found] += 1
        if numbers:
            cells[found, 0] += w[r]
            cells[found, 1] += w[r] * off[r]
            cells[found, 2] += w[r] * off[r] * off[r]
        else:
            cells[found, label[r]] += w[r]
    return found + 1, gone


@inner
def scan(
    places: Any,
    counts: Any,
    cells: Any,
    B: Any,
    gone: Any,
    lost: Any,
    side: Any,
    measure: Any,
    least: Any,
    weight: Any,
    near: Any,
    before: Any,
    left: Any,
    right: Any,
) -> Any:
    """The first best boundary of a column, with missing cells on one side (0 left, 1 right): its gain and place."""
    S = cells.shape[1]
    for s in range(S):
        left[s] = lost[s] if side == 0 else 0.0
        right[s] = lost[s] if side == 1 else 0.0
    n_left = gone if side == 0 else 0
    n_right = gone if side == 1 else 0
    for b in range(B):
        n_right += counts[b]
        for s in range(S):
            right[s] += cells[b, s]
    best, first, at = -np.inf, -np.inf, -1
    for b in range(B - 1):
        n_left += counts[b]
        n_right -= counts[b]
        for s in range(S):
            left[s] += cells[b, s]
            right[s] -= cells[b, s]
        if n_left < least or n_right < least:
            continue
        if measure == 1:  # Gini, the most usual one: two divisions, no call
            wa, wc, aa, cc = 0.0, 0.0, 0.0, 0.0
            for s in range(S):
                wa += left[s]
                wc += right[s]
                aa += left[s] * left[s]
                cc += right[s] * right[s]
            loss = (wa - aa / max(wa, 1e-300)) + (wc - cc / max(wc, 1e-300))
        else:
            a, wa = loss_of(left, measure)
            c, wc = loss_of(right, measure)
            loss = a + c
        if wa < weight or wc < weight:
            continue
        gain = before - loss
        if gain > best:
            if gain > first + near:
                first, at = gain, b
            best = gain
    return first, at
