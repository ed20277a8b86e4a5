"""Ed25519 verification (RFC 8032), strict as section 1 of the page demands: S below the group order, points
canonically encoded, keys of the prime-order group. Verification only: nothing here is secret, so nothing is constant-time."""
import hashlib
from functools import lru_cache

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
D2 = 2 * D % P
ROOT = pow(2, (P - 1) // 4, P)
ZERO = (0, 1, 1, 0)                                   # extended coordinates X, Y, Z, T

def add(a, b):
    m, n = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    c, d = a[3] * D2 % P * b[3] % P, 2 * a[2] * b[2] % P
    e, f, g, h = n - m, d - c, d + c, n + m
    return e * f % P, g * h % P, f * g % P, e * h % P

def double(a):
    m, n, s = a[0] * a[0] % P, a[1] * a[1] % P, a[0] + a[1]
    h = m + n
    e, g = h - s * s % P, m - n
    f = 2 * a[2] * a[2] % P + g
    return e * f % P, g * h % P, f * g % P, e * h % P

def decode(raw):
    """RFC 8032, 5.1.3, to the letter: None when the 32 bytes are not the canonical form of a point."""
    y = int.from_bytes(raw, 'little')
    sign, y = y >> 255, y & (1 << 255) - 1
    if y >= P:
        return None
    u, v = (y * y - 1) % P, (D * y * y + 1) % P
    x = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    if v * x * x % P != u:
        x = x * ROOT % P
        if v * x * x % P != u:
            return None
    if x == 0 and sign:
        return None
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P

def encode(a):
    z = pow(a[2], P - 2, P)
    x, y = a[0] * z % P, a[1] * z % P
    return (y | (x & 1) << 255).to_bytes(32, 'little')

def multiples(a):
    out = [ZERO]
    for _ in range(15):
        out.append(add(out[-1], a))
    return out

BASE = multiples(decode((4 * pow(5, P - 2, P) % P).to_bytes(32, 'little')))

def times(table, n):
    """The point of a table of multiples, n times, four bits at a time."""
    q = ZERO
    for shift in range(252, -4, -4):
        q = add(double(double(double(double(q)))), table[n >> shift & 15])
    return q

def is_zero(a):
    return a[0] % P == 0 and (a[1] - a[2]) % P == 0

@lru_cache(1024)
def negated(public):
    """Multiples of −A; None when A is not of the prime-order group, or is its zero."""
    a = decode(public)
    if a is None or is_zero(a):
        return None
    table = multiples((P - a[0], a[1], 1, P - a[3]))
    return table if is_zero(times(table, L)) else None

@lru_cache(65536)
def verify(public, message, signature):
    if len(public) != 32 or len(signature) != 64:
        return False
    r, s = signature[:32], int.from_bytes(signature[32:], 'little')
    table = negated(public)
    if s >= L or table is None or decode(r) is None:
        return False
    h = int.from_bytes(hashlib.sha512(r + public + message).digest(), 'little') % L
    q = ZERO                                          # S·B − h·A, four bits at a time
    for shift in range(252, -4, -4):
        q = double(double(double(double(q))))
        q = add(add(q, BASE[s >> shift & 15]), table[h >> shift & 15])
    return encode(q) == r
