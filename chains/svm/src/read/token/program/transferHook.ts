import { type AccountMeta, PublicKey, type TransactionInstruction } from '@solana/web3.js'
import { plainKey, type TransferChecked, transferChecked, u64 } from './tokenInstructions.js'

/** Reads the data of accounts as they are now. */
export interface AccountData {
  /** Null for an account that does not exist. */
  data(address: PublicKey): Promise<Buffer | null>
}

/** First bytes of the hook's `Execute`, whose data and accounts the further accounts may be derived from. */
const EXECUTE = Buffer.from('692565c54bfb661a', 'hex')

const KEY_BYTES = 32
/** How the state account describes a further account: kind, 32 bytes of configuration, signer, writable. */
const META_BYTES = 35
/** Discriminator, length of the value, number of accounts. */
const STATE_HEAD_BYTES = 16

const MetaKind = { fixed: 0, ofHookProgram: 1, keyInData: 2, ofAccountProgram: 128 } as const
const SeedKind = { end: 0, literal: 1, instructionData: 2, accountKey: 3, accountData: 4 } as const
const KeyKind = { instructionData: 1, accountData: 2 } as const

/** The state account of a hook does not describe its further accounts in a form that can be followed. */
export class TransferHookError extends Error {
  override readonly name = 'TransferHookError'
}

/**
 * A checked transfer with the accounts that the mint's hook program asks for: they are described in the hook's state
 * account (interface spl-transfer-hook). A further account gets no right that the same account did not have before.
 * @throws TransferHookError
 */
export const transferWithHook = async (
  transfer: TransferChecked,
  hook: PublicKey,
  accounts: AccountData,
): Promise<TransactionInstruction> => {
  const { source, mint, destination, owner, amount } = transfer
  const instruction = transferChecked(transfer)
  const [state] = PublicKey.findProgramAddressSync([Buffer.from('extra-account-metas'), mint.toBuffer()], hook)
  const described = await accounts.data(state)
  if (described === null) return instruction
  const keys = [source, mint, destination, owner, state].map(plainKey)
  const known = keys.length
  const execution: Execution = { hook, keys, data: Buffer.concat([EXECUTE, u64(amount)]), accounts }
  for (const meta of metasIn(described)) keys.push(await resolveMeta(meta, execution))
  instruction.keys.push(...keys.slice(known), plainKey(hook), plainKey(state))
  return instruction
}

interface Execution {
  readonly hook: PublicKey
  readonly keys: readonly AccountMeta[]
  readonly data: Buffer
  readonly accounts: AccountData
}

const metasIn = (state: Buffer): readonly Buffer[] => {
  const count = bytesIn(state, STATE_HEAD_BYTES - 4, 4).readUInt32LE()
  const described = Math.floor((state.length - STATE_HEAD_BYTES) / META_BYTES)
  return Array.from({ length: Math.min(count, described) }, (_, at) =>
    bytesIn(state, STATE_HEAD_BYTES + at * META_BYTES, META_BYTES),
  )
}

const resolveMeta = async (meta: Buffer, execution: Execution): Promise<AccountMeta> => {
  const pubkey = await resolveKey(meta.readUInt8(0), meta.subarray(1, 1 + KEY_BYTES), execution)
  const same = execution.keys.filter((key) => key.pubkey.equals(pubkey))
  const may = (right: 'isSigner' | 'isWritable') => same.length === 0 || same.some((key) => key[right])
  return {
    pubkey,
    isSigner: meta.readUInt8(33) !== 0 && may('isSigner'),
    isWritable: meta.readUInt8(34) !== 0 && may('isWritable'),
  }
}

const resolveKey = async (kind: number, config: Buffer, execution: Execution): Promise<PublicKey> => {
  if (kind === MetaKind.fixed) return new PublicKey(config)
  if (kind === MetaKind.keyInData) return new PublicKey(await keyBytes(config, execution))
  const program =
    kind === MetaKind.ofHookProgram ? execution.hook : keyAt(execution.keys, kind - MetaKind.ofAccountProgram)
  return PublicKey.findProgramAddressSync(await seedsIn(config, execution), program)[0]
}

const keyBytes = (config: Buffer, { keys, data, accounts }: Execution): Promise<Buffer> | Buffer => {
  const [kind, first = 0, second = 0] = config
  if (kind === KeyKind.instructionData) return bytesIn(data, first, KEY_BYTES)
  if (kind === KeyKind.accountData) return dataOf(keyAt(keys, first), second, KEY_BYTES, accounts)
  throw new TransferHookError(`A key of kind ${kind} is unknown.`)
}

const seedsIn = async (config: Buffer, execution: Execution): Promise<Buffer[]> => {
  const seeds: Buffer[] = []
  for (let at = 0; at < config.length && config[at] !== SeedKind.end; ) {
    const { seed, bytes } = await seedAt(config.subarray(at), execution)
    seeds.push(seed)
    at += bytes
  }
  return seeds
}

const seedAt = async (
  config: Buffer,
  { keys, data, accounts }: Execution,
): Promise<{ readonly seed: Buffer; readonly bytes: number }> => {
  const byte = (at: number): number => bytesIn(config, at, 1).readUInt8()
  switch (config[0]) {
    case SeedKind.literal:
      return { seed: bytesIn(config, 2, byte(1)), bytes: 2 + byte(1) }
    case SeedKind.instructionData:
      return { seed: bytesIn(data, byte(1), byte(2)), bytes: 3 }
    case SeedKind.accountKey:
      return { seed: keyAt(keys, byte(1)).toBuffer(), bytes: 2 }
    case SeedKind.accountData:
      return { seed: await dataOf(keyAt(keys, byte(1)), byte(2), byte(3), accounts), bytes: 4 }
    default:
      throw new TransferHookError(`A seed of kind ${config[0]} is unknown.`)
  }
}

const keyAt = (keys: readonly AccountMeta[], at: number): PublicKey => {
  const key = keys[at]
  if (key === undefined) throw new TransferHookError(`The hook has no account ${at}.`)
  return key.pubkey
}

const dataOf = async (address: PublicKey, at: number, length: number, accounts: AccountData): Promise<Buffer> => {
  const data = await accounts.data(address)
  if (data === null) throw new TransferHookError(`The account ${address.toBase58()} does not exist.`)
  return bytesIn(data, at, length)
}

const bytesIn = (data: Buffer, at: number, length: number): Buffer => {
  if (data.length < at + length) throw new TransferHookError(`${length} bytes at ${at} of ${data.length} are missing.`)
  return data.subarray(at, at + length)
}
