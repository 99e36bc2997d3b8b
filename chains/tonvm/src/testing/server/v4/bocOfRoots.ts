import type { Cell } from '@ton/core'

const MAGIC = 0xb5ee9c72

/** Bytes of a cell's own bits, with the bit that marks their end if they are no whole bytes. */
const dataOf = ({ bits }: Cell): Buffer => {
  const bytes = Buffer.alloc(Math.ceil(bits.length / 8))
  for (let at = 0; at < bits.length; at += 1) {
    if (bits.at(at)) bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (0x80 >> (at & 7))
  }
  const end = bits.length & 7
  if (end !== 0) bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) | (0x80 >> end)
  return bytes
}

/** All cells below some, each once, with every cell before those that it refers to. */
const ordered = (roots: readonly Cell[]): readonly Cell[] => {
  const seen = new Set<string>()
  const done: Cell[] = []
  const visit = (cell: Cell): void => {
    const hash = cell.hash().toString('hex')
    if (seen.has(hash)) return
    seen.add(hash)
    for (const ref of cell.refs) visit(ref)
    done.push(cell)
  }
  for (const root of roots) visit(root)
  return done.reverse()
}

const uint16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff])

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** A bag of cells with several roots, which `@ton/core` reads and does not write. */
export const bocOfRoots = (roots: readonly Cell[]): Buffer => {
  const cells = ordered(roots)
  const index = new Map(cells.map((cell, at) => [cell.hash().toString('hex'), at] as const))
  const indexOf = (cell: Cell): Buffer => uint16(index.get(cell.hash().toString('hex')) ?? 0)
  const body = Buffer.concat(
    cells.flatMap((cell) => {
      const { length } = cell.bits
      const descriptor = [
        cell.refs.length + (cell.isExotic ? 8 : 0) + cell.level() * 32,
        (length >> 3) + Math.ceil(length / 8),
      ]
      return [Buffer.from(descriptor), dataOf(cell), ...cell.refs.map(indexOf)]
    }),
  )
  const [sizeBytes, offsetBytes] = [2, 4]
  return Buffer.concat([
    uint32(MAGIC),
    Buffer.from([sizeBytes, offsetBytes]),
    ...[uint16(cells.length), uint16(roots.length), uint16(0), uint32(body.length)],
    ...roots.map(indexOf),
    body,
  ])
}
