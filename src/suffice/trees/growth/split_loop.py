"""The search for the best boundary of a column inside a loop: over cells in order, or over the sums of bins.

A cell is one whole number, `code << 32 | row`, so that cells sort by their code, missing ones (code -1) first. Cells in
order are read once, with the sums left of a boundary kept in registers; the loss is compared with the best so far by
products, as divisions would take as long as all the rest, and worked out where it is better.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.numerics.loop import inner


@inner
def loss_of(sums: Any, measure: Any, edges: Any) -> Any:
    """Weight times impurity of sums (S,), averaged over outputs, and the weight."""
    q = edges.shape[0] - 1
    if measure == -1:  # squared error; what rounding leaves of one number is nothing
        loss = 0.0
        for t in range(q):
            part = sums[1 + q + t] - sums[1 + t] * sums[1 + t] / max(sums[0], 1e-300)
            loss += part if part > 1.8e-15 * sums[1 + q + t] else 0.0
        return loss / q, sums[0]
    if measure == -2:  # Poisson deviance: a mean of 0 explains nothing else
        loss = 0.0
        for t in range(q):
            if sums[1 + t] <= 0.0:
                return np.inf, sums[0]
            other = sums[1 + t] * np.log(sums[1 + t] / sums[0])
            part = sums[1 + q + t] - other
            loss += part if part > 1.8e-15 * max(abs(sums[1 + q + t]), abs(other)) else 0.0
        return loss / q, sums[0]
    total = 0.0
    for k in range(edges[1]):
        total += sums[k]
    if total <= 0.0:
        return 0.0, 0.0
    loss = 0.0
    for t in range(q):
        top, squares = 0.0, 0.0
        for k in range(edges[t], edges[t + 1]):
            top = max(top, sums[k])
            squares += (sums[k] / total) * (sums[k] / total)
            if measure == 2 and sums[k] > 0.0:
                loss -= sums[k] * np.log2(sums[k] / total)
        if measure == 0:
            loss += total - top
        elif measure == 1:
            loss += total * (1.0 - squares)
        elif measure == 3:
            loss += total * np.sqrt(max(1.0 - squares, 0.0) / 2.0)
    return loss / q, total


@inner
def add_rows(
    sums: Any, k: Any, rows: Any, start: Any, stop: Any, label: Any, first: Any, second: Any, w: Any, measure: Any,
    edges: Any,
) -> None:  # fmt: skip
    """Add rows to sums (.., S) number k: weights to those of their classes, or what adds of their numbers.

    Rows may be cells too. A call for each row would cost more than the sum, as it counts who holds which array.
    """
    q = edges.shape[0] - 1
    if measure < 0:
        for i in range(start, stop):
            r = np.uint64(rows[i] & 0xFFFFFFFF)
            sums[k, 0] += w[r]
            for t in range(q):
                at = r * np.uint64(q) + np.uint64(t)
                sums[k, 1 + t] += w[r] * first[at]
                sums[k, 1 + q + t] += w[r] * second[at]
    elif q == 1:
        for i in range(start, stop):
            r = np.uint64(rows[i] & 0xFFFFFFFF)
            sums[k, label[r]] += w[r]
    else:
        for i in range(start, stop):
            r = np.uint64(rows[i] & 0xFFFFFFFF)
            for t in range(q):
                sums[k, label[r * np.uint64(q) + np.uint64(t)]] += w[r]


@inner
def add_to_bins(
    sums: Any, counts: Any, cells: Any, m: Any, low: Any, label: Any, first: Any, second: Any, w: Any, measure: Any,
    edges: Any,
) -> None:  # fmt: skip
    """Add the rows of cells to the sums (B, S) of their bins."""
    q = edges.shape[0] - 1
    for i in range(m):
        b, r = np.uint64((cells[i] >> 32) - low), np.uint64(cells[i] & 0xFFFFFFFF)
        counts[b] += 1
        if measure < 0:
            sums[b, 0] += w[r]
            for t in range(q):
                at = r * np.uint64(q) + np.uint64(t)
                sums[b, 1 + t] += w[r] * first[at]
                sums[b, 1 + q + t] += w[r] * second[at]
        elif q == 1:
            sums[b, label[r]] += w[r]
        else:
            for t in range(q):
                sums[b, label[r * np.uint64(q) + np.uint64(t)]] += w[r]


@inner
def _two_classes(
    cells: Any, begin: Any, stop: Any, total: Any, left: Any, n_left: Any, n: Any, label: Any, w: Any,
    unit: Any, least: Any, weight: Any, near: Any, before: Any,
) -> Any:  # fmt: skip
    """The first best boundary by the Gini index of two classes."""
    a, b, whole, ones = left[0], left[1], total[0] + total[1], total[1]
    quick = 1e-80 < whole < 1e80  # else products of three weights may be too large, or nothing
    best, found, at, bar = -np.inf, -np.inf, -1, -np.inf
    wa = a + b
    code = cells[begin] >> 32
    for i in range(begin, stop - 1):
        r = np.uint64(cells[i] & 0xFFFFFFFF)
        if unit:
            wa += 1.0
            b += label[r]
        else:
            wa += w[r]
            b += w[r] * label[r]
        here = code
        code = cells[i + 1] >> 32
        if here == code:
            continue
        n_left += 1 + i - begin
        begin = i + 1
        if n_left < least or n - n_left < least:
            continue
        a, c = wa - b, ones - b
        wc = whole - wa
        d = wc - c
        if wa < weight or wc < weight:
            continue
        aa, cc = a * a + b * b, c * c + d * d
        if quick and aa * wc + cc * wa <= bar * (wa * wc):
            continue
        kept = aa / max(wa, 1e-300) + cc / max(wc, 1e-300)
        gain = before - (whole - kept)
        if gain > best:
            if gain > found + near:
                found, at = gain, i
            best, bar = gain, kept * (1.0 - 1e-13)
    return found, at


@inner
def _numbers(
    cells: Any, begin: Any, stop: Any, total: Any, left: Any, n_left: Any, n: Any, first: Any, w: Any,
    unit: Any, least: Any, weight: Any, near: Any, before: Any,
) -> Any:  # fmt: skip
    """The first best boundary by squared error."""
    wa, a, whole, all_a = left[0], left[1], total[0], total[1]
    quick = 1e-80 < whole < 1e80 and total[2] < 1e80
    best, found, at, bar = -np.inf, -np.inf, -1, -np.inf
    code = cells[begin] >> 32
    for i in range(begin, stop - 1):
        r = np.uint64(cells[i] & 0xFFFFFFFF)
        if unit:
            wa += 1.0
            a += first[r]
        else:
            wa += w[r]
            a += w[r] * first[r]
        here = code
        code = cells[i + 1] >> 32
        if here == code:
            continue
        n_left += 1 + i - begin
        begin = i + 1
        if n_left < least or n - n_left < least:
            continue
        wc, c = whole - wa, all_a - a
        if wa < weight or wc < weight:
            continue
        aa, cc = a * a, c * c
        if quick and aa * wc + cc * wa <= bar * (wa * wc):
            continue
        kept = aa / max(wa, 1e-300) + cc / max(wc, 1e-300)
        gain = before - max(total[2] - kept, 0.0)
        if gain > best:
            if gain > found + near:
                found, at = gain, i
            best, bar = gain, kept * (1.0 - 1e-13)
    return found, at


@inner
def scan(
    by_bins: Any, cells: Any, counts: Any, sums: Any, begin: Any, stop: Any, total: Any, lost: Any, gone: Any,
    side: Any, n: Any, label: Any, first: Any, second: Any, w: Any, unit: Any, measure: Any, least: Any, weight: Any,
    near: Any, before: Any, left: Any, right: Any, edges: Any,
) -> Any:  # fmt: skip
    """The first best boundary, with missing cells on one side (0 left, 1 right): its gain, and the cell or bin before.

    Of cells in order from `begin` to `stop`, or of bins (B, S) in order, some of which may be empty.
    """
    S, q = total.shape[0], edges.shape[0] - 1
    for s in range(S):
        left[s] = lost[s] if side == 0 else 0.0
    n_left = gone if side == 0 else 0
    if not by_bins and q == 1 and measure == 1 and S == 2:
        return _two_classes(
            cells, begin, stop, total, left, n_left, n, label, w, unit, least, weight, near, before
        )  # fmt: skip
    if not by_bins and q == 1 and measure == -1:
        return _numbers(
            cells, begin, stop, total, left, n_left, n, first, w, unit, least, weight, near, before
        )  # fmt: skip
    best, found, at = -np.inf, -np.inf, -1
    for i in range(begin, stop - 1):
        if by_bins:
            if counts[i] == 0:
                continue
            n_left += counts[i]
            for s in range(S):
                left[s] += sums[i, s]
        else:
            r = np.uint64(cells[i] & 0xFFFFFFFF)
            n_left += 1
            if measure < 0:
                left[0] += w[r]
                for t in range(q):
                    place = r * np.uint64(q) + np.uint64(t)
                    left[1 + t] += w[r] * first[place]
                    left[1 + q + t] += w[r] * second[place]
            else:
                for t in range(q):
                    left[label[r * np.uint64(q) + np.uint64(t)]] += w[r]
            if cells[i] >> 32 == cells[i + 1] >> 32:
                continue
        if n_left < least or n - n_left < least:
            continue
        wa, wc, aa, cc = 0.0, 0.0, 0.0, 0.0
        for s in range(S):
            right[s] = total[s] - left[s]
            wa += left[s]
            wc += right[s]
            aa += left[s] * left[s]
            cc += right[s] * right[s]
        if measure == 1:  # Gini, the most usual one: two divisions, no call; every output has all of the weight
            loss = (wa / q - aa / max(wa, 1e-300)) + (wc / q - cc / max(wc, 1e-300))
            wa, wc = wa / q, wc / q
        else:
            a, wa = loss_of(left, measure, edges)
            c, wc = loss_of(right, measure, edges)
            loss = a + c
        if wa < weight or wc < weight:
            continue
        gain = before - loss
        if gain > best:
            if gain > found + near:
                found, at = gain, i
            best = gain
    return found, at


@inner
def sort_cells(cells: Any, m: Any, bits: Any, low: Any, spare: Any, count: Any) -> None:
    """Sort cells[:m] whose codes are within `bits` bits of `low`: a few by insertion, many by their digits."""
    if m <= 24:
        for i in range(1, m):
            cell = cells[i]
            j = i - 1
            while j >= 0 and cells[j] > cell:
                cells[j + 1] = cells[j]
                j -= 1
            cells[j + 1] = cell
        return
    if m <= 96 and bits > 8:  # by one digit alone, more than a few are sorted sooner than by comparing
        cells[:m].sort()
        return
    shift = 0
    while shift < bits:
        digits = 1 << min(bits - shift, 8)
        for v in range(digits):
            count[v] = 0
        for i in range(m):
            count[(((cells[i] >> 32) - low) >> shift) & 255] += 1
        upto = 0
        for v in range(digits):
            upto, count[v] = upto + count[v], upto
        for i in range(m):
            v = (((cells[i] >> 32) - low) >> shift) & 255
            spare[count[v]] = cells[i]
            count[v] += 1
        for i in range(m):
            cells[i] = spare[i]
        shift += 8
