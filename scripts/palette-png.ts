import { crc32, deflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const MOST_COLOURS = 256
const PALETTE = 3

/**
 * A picture with its 256 most frequent colours, each other one replaced by the nearest of them. Of a page, which has
 * few colours but for the edges of its letters, nobody sees the difference, and it is less than half as large.
 */
export function palettePng(pixels: Buffer, width: number, height: number): Buffer {
  const counts = new Map<number, number>()
  for (let at = 0; at < pixels.length; at += 4) {
    const colour = pixels.readUIntBE(at, 3)
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  const palette = [...counts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, MOST_COLOURS)
    .map(([colour]) => colour)
  const places = new Map([...counts.keys()].map((colour) => [colour, nearest(palette, colour)]))
  // Each line begins with its filter: none, which is best for colours by number.
  const lines = Buffer.alloc((width + 1) * height)
  for (let at = 0; at < width * height; at++) {
    lines[at + Math.floor(at / width) + 1] = places.get(pixels.readUIntBE(at * 4, 3))!
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, PALETTE], 8)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(channels))),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const channels = (colour: number) => [colour >> 16, (colour >> 8) & 0xff, colour & 0xff]

function nearest(palette: readonly number[], colour: number): number {
  const exact = palette.indexOf(colour)
  if (exact >= 0) return exact
  const [red, green, blue] = channels(colour)
  let best = 0
  let least = Number.POSITIVE_INFINITY
  for (const [at, other] of palette.entries()) {
    const [otherRed, otherGreen, otherBlue] = channels(other)
    const way = (red! - otherRed!) ** 2 + (green! - otherGreen!) ** 2 + (blue! - otherBlue!) ** 2
    if (way < least) [best, least] = [at, way]
  }
  return best
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const whole = Buffer.alloc(named.length + 8)
  whole.writeUInt32BE(data.length, 0)
  named.copy(whole, 4)
  whole.writeUInt32BE(crc32(named), named.length + 4)
  return whole
}
