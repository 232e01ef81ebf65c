"""Ray tracer of dice on a table: rounded cubes, drilled pips, soft shadows.

Theory of operation. Every pixel's ray is tested against each die's bounding sphere. Where it may hit, it
is marched through the die's distance field in the die's own axes. The field is a cube swept by a small
sphere and cut by a large one, which gives the rounded faces of cheap dice. The nearest hit is shaded from
the die's six face textures; a ray that hits no die is shaded from the floor texture. Shadow rays are
marched towards each light, and their closest approach to a die gives the softness. The unit of length is
the side of a common die; the floor is z = 0. Colours are linear light.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit

FACE_PX = 96
"""Side of a face texture, px: finer than any die in a training picture except the very largest."""


@dataclass
class Lights:
    """towards (m, 3) unit; colour (m, 3) bgr; hardness (m,) 4 = a window, 60 = the sun; sky (3,) bgr of the
    ambient light."""

    towards: np.ndarray
    colour: np.ndarray
    hardness: np.ndarray
    sky: np.ndarray


@dataclass
class Eye:
    """A pinhole camera: at (3,), axes (3, 3) rows right, down, forward; focal px for a picture of size_wh px."""

    at: np.ndarray
    axes: np.ndarray
    focal: float
    size_wh: tuple[int, int]


@dataclass
class Bodies:
    """n dice. at (n, 3); turn (n, 3, 3) die to world; side, corner, ball, gloss, glow (n,); faces (n, 6,
    FACE_PX, FACE_PX, 5).

    The six faces lie on +x -x +y -y +z -z; a face texture is b, g, r and the slope of its surface along u
    and v.
    corner, ball: fractions of the side. glow: 0 opaque .. 1 translucent (light passes through, shading is
    weaker).
    """

    at: np.ndarray
    turn: np.ndarray
    side: np.ndarray
    corner: np.ndarray
    ball: np.ndarray
    gloss: np.ndarray
    glow: np.ndarray
    faces: np.ndarray


@njit(cache=True, fastmath=True)
def _distance(x, y, z, half, corner, ball):
    inner = half - corner
    qx, qy, qz = abs(x) - inner, abs(y) - inner, abs(z) - inner
    ox, oy, oz = max(qx, 0.0), max(qy, 0.0), max(qz, 0.0)
    box = np.sqrt(ox * ox + oy * oy + oz * oz) + min(max(qx, max(qy, qz)), 0.0) - corner
    return max(box, np.sqrt(x * x + y * y + z * z) - ball)


@njit(cache=True, fastmath=True)
def _local(turn, x, y, z):
    return (
        turn[0, 0] * x + turn[1, 0] * y + turn[2, 0] * z,
        turn[0, 1] * x + turn[1, 1] * y + turn[2, 1] * z,
        turn[0, 2] * x + turn[1, 2] * y + turn[2, 2] * z,
    )


@njit(cache=True, fastmath=True)
def _shadow(px, py, pz, towards, hardness, skip, at, turn, side, corner, ball, glow):
    """The light that arrives, 0 = dark .. 1 = lit; die `skip` casts no shadow on itself."""
    lit = 1.0
    for i in range(at.shape[0]):
        if i == skip:
            continue
        ox, oy, oz = px - at[i, 0], py - at[i, 1], pz - at[i, 2]
        along = -(ox * towards[0] + oy * towards[1] + oz * towards[2])
        reach = 0.87 * side[i]
        if along < -reach:
            continue
        off2 = ox * ox + oy * oy + oz * oz - along * along
        wide = reach + max(along, 0.0) * 2.0 / hardness
        if off2 > wide * wide:
            continue
        lx, ly, lz = _local(turn[i], ox, oy, oz)
        dx, dy, dz = _local(turn[i], towards[0], towards[1], towards[2])
        t = max(along - wide, 0.01)
        end = along + wide
        least = 1.0
        for _ in range(18):
            d = _distance(lx + dx * t, ly + dy * t, lz + dz * t, 0.5 * side[i], corner[i] * side[i], ball[i] * side[i])
            least = min(least, 0.5 + 0.5 * hardness * d / max(t, 0.05))
            if least <= 0.0 or t > end:
                break
            t += max(abs(d), 0.03)
        least = max(least, 0.0)
        least = least * least * (3 - 2 * least)
        lit *= least + (1 - least) * 0.35 * glow[i]
    return lit


@njit(cache=True, fastmath=True, nogil=True)
def trace(
    out, ids, hits, eye, axes, focal, floor, floor_scale,
    at, turn, side, corner, ball, gloss, glow, faces, towards, light, hardness, sky,
):  # fmt: skip
    """Fills out (h, w, 3) float32, ids (h, w) int32 (-1 = floor) and hits (n,) (how many pixels each die
    would cover alone)."""
    h, w = ids.shape
    fh, fw = floor.shape[0], floor.shape[1]
    n, m = at.shape[0], towards.shape[0]
    size = faces.shape[2]
    for row in range(h):
        for col in range(w):
            sx, sy = (col + 0.5 - 0.5 * w) / focal, (row + 0.5 - 0.5 * h) / focal
            rx = axes[2, 0] + axes[0, 0] * sx + axes[1, 0] * sy
            ry = axes[2, 1] + axes[0, 1] * sx + axes[1, 1] * sy
            rz = axes[2, 2] + axes[0, 2] * sx + axes[1, 2] * sy
            length = np.sqrt(rx * rx + ry * ry + rz * rz)
            rx, ry, rz = rx / length, ry / length, rz / length
            best, who = 1e9, -1
            for i in range(n):
                ox, oy, oz = eye[0] - at[i, 0], eye[1] - at[i, 1], eye[2] - at[i, 2]
                along = -(ox * rx + oy * ry + oz * rz)
                reach = 0.87 * side[i]
                off2 = ox * ox + oy * oy + oz * oz - along * along
                if off2 > reach * reach:
                    continue
                lx, ly, lz = _local(turn[i], ox, oy, oz)
                dx, dy, dz = _local(turn[i], rx, ry, rz)
                t = along - np.sqrt(reach * reach - off2)
                for _ in range(24):
                    d = _distance(lx + dx * t, ly + dy * t, lz + dz * t, 0.5 * side[i], corner[i] * side[i], ball[i] * side[i])
                    if d < 0.002:
                        hits[i] += 1
                        if t < best:
                            best, who = t, i
                        break
                    t += d
                    if t > along + reach:
                        break
            ids[row, col] = who
            if who < 0:
                t = -eye[2] / min(rz, -1e-3)
                px, py = eye[0] + rx * t, eye[1] + ry * t
                u = int(px * floor_scale + 0.5 * fw) % fw
                v = int(-py * floor_scale + 0.5 * fh) % fh
                shade = 1.0
                for i in range(n):
                    ox, oy = px - at[i, 0], py - at[i, 1]
                    if ox * ox + oy * oy < 2.2 * side[i] * side[i]:
                        lx, ly, lz = _local(turn[i], ox, oy, -at[i, 2])
                        d = _distance(lx, ly, lz, 0.5 * side[i], corner[i] * side[i], ball[i] * side[i])
                        shade *= 1 - 0.55 * np.exp(-max(d, 0.0) * 5.0 / side[i])
                r0, r1, r2 = sky[0] * shade, sky[1] * shade, sky[2] * shade
                for k in range(m):
                    lit = _shadow(px, py, 0.0, towards[k], hardness[k], -1, at, turn, side, corner, ball, glow) * towards[k, 2]
                    r0 += light[k, 0] * lit
                    r1 += light[k, 1] * lit
                    r2 += light[k, 2] * lit
                out[row, col, 0] = floor[v, u, 0] * r0
                out[row, col, 1] = floor[v, u, 1] * r1
                out[row, col, 2] = floor[v, u, 2] * r2
                continue
            i = who
            px, py, pz = eye[0] + rx * best, eye[1] + ry * best, eye[2] + rz * best
            x, y, z = _local(turn[i], px - at[i, 0], py - at[i, 1], pz - at[i, 2])
            half, cor, bal = 0.5 * side[i], corner[i] * side[i], ball[i] * side[i]
            e = 0.004
            nx = _distance(x + e, y, z, half, cor, bal) - _distance(x - e, y, z, half, cor, bal)
            ny = _distance(x, y + e, z, half, cor, bal) - _distance(x, y - e, z, half, cor, bal)
            nz = _distance(x, y, z + e, half, cor, bal) - _distance(x, y, z - e, half, cor, bal)
            ax, ay, az = abs(x), abs(y), abs(z)
            if ax >= ay and ax >= az:
                slot, a, b = (0 if x > 0 else 1), y / side[i], z / side[i]
            elif ay >= az:
                slot, a, b = (2 if y > 0 else 3), z / side[i], x / side[i]
            else:
                slot, a, b = (4 if z > 0 else 5), x / side[i], y / side[i]
            fu = min(max((a + 0.5) * size - 0.5, 0.0), size - 1.001)
            fv = min(max((b + 0.5) * size - 0.5, 0.0), size - 1.001)
            iu, iv = int(fu), int(fv)
            wu, wv = fu - iu, fv - iv
            tex = faces[i, slot]
            c0 = c1 = c2 = su = sv = 0.0
            for k in range(4):
                qu, qv = iu + (k & 1), iv + (k >> 1)
                q = (wu if k & 1 else 1 - wu) * (wv if k >> 1 else 1 - wv)
                c0 += q * tex[qv, qu, 0]
                c1 += q * tex[qv, qu, 1]
                c2 += q * tex[qv, qu, 2]
                su += q * tex[qv, qu, 3]
                sv += q * tex[qv, qu, 4]
            inv = 1.0 / max(np.sqrt(nx * nx + ny * ny + nz * nz), 1e-9)
            nx, ny, nz = nx * inv, ny * inv, nz * inv
            if slot < 2:
                ny, nz = ny + su, nz + sv
            elif slot < 4:
                nz, nx = nz + su, nx + sv
            else:
                nx, ny = nx + su, ny + sv
            inv = 1.0 / np.sqrt(nx * nx + ny * ny + nz * nz)
            nx, ny, nz = nx * inv, ny * inv, nz * inv
            r = turn[i]
            wx = r[0, 0] * nx + r[0, 1] * ny + r[0, 2] * nz
            wy = r[1, 0] * nx + r[1, 1] * ny + r[1, 2] * nz
            wz = r[2, 0] * nx + r[2, 1] * ny + r[2, 2] * nz
            near = 0.62 + 0.38 * min(max(pz / side[i], 0.0), 1.0)
            up = (0.5 + 0.5 * wz) * near
            up = up + glow[i] * (0.75 - up) * 0.7
            r0, r1, r2 = sky[0] * up, sky[1] * up, sky[2] * up
            facing = -(wx * rx + wy * ry + wz * rz)
            edge = max(1 - facing, 0.0)
            fresnel = gloss[i] * (0.03 + 0.35 * edge * edge * edge * edge) * max(wz, 0.0)
            s0, s1, s2 = sky[0] * fresnel, sky[1] * fresnel, sky[2] * fresnel
            for k in range(m):
                cosine = wx * towards[k, 0] + wy * towards[k, 1] + wz * towards[k, 2]
                soft = max(cosine, 0.0) + glow[i] * 0.5 * (0.5 + 0.5 * cosine - max(cosine, 0.0))
                if soft <= 0:
                    continue
                lit = _shadow(
                    px + 0.01 * wx, py + 0.01 * wy, pz + 0.01 * wz, towards[k], hardness[k], i, at, turn, side, corner, ball, glow
                )
                r0 += light[k, 0] * soft * lit
                r1 += light[k, 1] * soft * lit
                r2 += light[k, 2] * soft * lit
                hx, hy, hz = towards[k, 0] - rx, towards[k, 1] - ry, towards[k, 2] - rz
                shine = (wx * hx + wy * hy + wz * hz) / np.sqrt(hx * hx + hy * hy + hz * hz)
                power = 12.0 + 2.2 * hardness[k]
                glint = gloss[i] * lit * (0.9 * max(shine, 0.0) ** power + 0.06 * max(shine, 0.0) ** 10)
                s0 += light[k, 0] * glint
                s1 += light[k, 1] * glint
                s2 += light[k, 2] * glint
            out[row, col, 0] = c0 * r0 + s0
            out[row, col, 1] = c1 * r1 + s1
            out[row, col, 2] = c2 * r2 + s2


def picture_of(
    eye: Eye, floor: np.ndarray, floor_scale: float, dice: Bodies, lights: Lights
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The picture (h, w, 3) float32 linear light, the die at each pixel (h, w) (-1 = floor), pixels each die
    covers alone (n,)."""
    w, h = eye.size_wh
    out, ids, hits = np.zeros((h, w, 3), np.float32), np.full((h, w), -1, np.int32), np.zeros(len(dice.at), np.int64)
    f = np.float64
    trace(
        out, ids, hits, eye.at.astype(f), eye.axes.astype(f), float(eye.focal), floor.astype(np.float32), float(floor_scale),
        dice.at.astype(f), dice.turn.astype(f), dice.side.astype(f), dice.corner.astype(f), dice.ball.astype(f), dice.gloss.astype(f),
        dice.glow.astype(f), dice.faces.astype(np.float32),
        lights.towards.astype(f), lights.colour.astype(f), lights.hardness.astype(f), lights.sky.astype(f),
    )  # fmt: skip
    return out, ids, hits
