import type { VersionedMessage } from '@solana/web3.js'

const SYSTEM = '11111111111111111111111111111111'
const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111'
/** Programs that are part of the runtime count less where no limit is set. */
const BUILT_IN: ReadonlySet<string> = new Set([SYSTEM, COMPUTE_BUDGET])
const BUILT_IN_UNITS = 3_000n
const DEFAULT_UNITS = 200_000n
const MAX_UNITS = 1_400_000n

/** Lamports that a message costs: its signatures, and the units it may use at the price it offers, rounded up. */
export const messageFee = (message: VersionedMessage): number => {
  let price = 0n
  let limit: bigint | null = null
  let usual = 0n
  for (const { programIdIndex, data } of message.compiledInstructions) {
    const program = message.staticAccountKeys[programIdIndex]?.toBase58() ?? ''
    const bytes = Buffer.from(data)
    usual += BUILT_IN.has(program) ? BUILT_IN_UNITS : DEFAULT_UNITS
    if (program === COMPUTE_BUDGET && bytes[0] === 2) limit = BigInt(bytes.readUInt32LE(1))
    if (program === COMPUTE_BUDGET && bytes[0] === 3) price = bytes.readBigUInt64LE(1)
  }
  const asked = limit ?? usual
  const units = asked < MAX_UNITS ? asked : MAX_UNITS
  return 5000 * message.header.numRequiredSignatures + Number((price * units + 999_999n) / 1_000_000n)
}
