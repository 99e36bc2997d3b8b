import type { Controls, NodeFault, NodeFaults } from '@causeway/core/testing'
import { base58 } from '@scure/base'
import { PublicKey, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { ACCOUNT_SIZE, AccountState, decodeAccount } from '../../read/token/program/tokenLayouts.js'
import { associatedAddress } from '../../read/token/program/tokenPrograms.js'
import type { LocalNode } from '../node/localNode.js'
import type { EngineAccount } from './tokenBalances.js'

const STATE_OFFSET = 108

/** Controls by which tests make things happen. */
export const controlMethods = (node: LocalNode, faults: NodeFaults): Controls => {
  const tokenAccount = (owner: string, mint: string) => {
    const program = new PublicKey(node.bank.account(mint)?.owner ?? '')
    const address = associatedAddress(new PublicKey(mint), new PublicKey(owner), program).toBase58()
    const account = node.bank.account(address)
    if (account === null) throw new Error(`${owner} has no account for ${mint}`)
    return { address, account }
  }
  return {
    mint: (address: string, lamports: string) => {
      node.bank.mint(address, BigInt(lamports))
      node.advance(1)
    },
    advance: (count: number) => node.advance(count),
    pause: (paused: boolean) => {
      node.paused = paused
    },
    hold: () => node.hold(),
    release: () => node.release(),
    drop: (depth: number) => node.drop(depth),
    lag: (slots: number) => {
      node.slots.lag = slots
    },
    forget: (kept: number) => {
      node.slots.cleanedUpTo = kept === 0 ? 0 : node.slots.newest('confirmed') - kept + 1
    },
    fail: (fault: NodeFault) => faults.add(fault),
    clearFaults: () => faults.clear(),
    counts: () => Object.fromEntries(faults.counts),
    freeze: (owner: string, mint: string, frozen: boolean) => {
      const { address, account } = tokenAccount(owner, mint)
      node.bank.set(address, withState(account, frozen ? AccountState.Frozen : AccountState.Initialized))
      node.advance(1)
    },
    close: (owner: string, mint: string) => {
      node.bank.set(tokenAccount(owner, mint).address, null)
      node.advance(1)
    },
    invent: (from: string, to: string, lamports: number, memo: string) => invent(node, { from, to, lamports, memo }),
  }
}

const withState = (account: EngineAccount, state: number): EngineAccount => {
  const plain = Buffer.from(account.data.subarray(0, ACCOUNT_SIZE))
  if (decodeAccount(plain) === null) throw new Error('The account is no token account')
  const data = Uint8Array.from(account.data)
  data[STATE_OFFSET] = state
  return { ...account, data }
}

const MEMO = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')

/** A transfer with a memo that never happened, shown as if it had. Returns its signature. */
const invent = (
  node: LocalNode,
  { from, to, lamports, memo }: { from: string; to: string; lamports: number; memo: string },
): string => {
  const payer = new PublicKey(from)
  const message = new TransactionMessage({
    payerKey: payer,
    recentBlockhash: node.slots.newestBlock('confirmed').blockhash,
    instructions: [
      SystemProgram.transfer({ fromPubkey: payer, toPubkey: new PublicKey(to), lamports }),
      { keys: [], programId: MEMO, data: Buffer.from(memo) },
    ],
  }).compileToV0Message()
  const transaction = new VersionedTransaction(message, [new Uint8Array(64).map((_, at) => (at * 7 + lamports) % 251)])
  const wire = node.bank.decode(Buffer.from(transaction.serialize()))
  const holdings = wire.keys.map((key) => Number(node.bank.account(key)?.lamports ?? 0n))
  const change = (key: string): number => (key === from ? -lamports - 5000 : key === to ? lamports : 0)
  node.invent({
    wire,
    slot: node.slots.open.number,
    err: null,
    memo: `[${memo.length}] ${memo}`,
    logs: [],
    inner: [],
    units: 450,
    fee: 5000,
    pre: { lamports: holdings, tokens: [] },
    post: { lamports: holdings.map((held, at) => held + change(wire.keys[at] ?? '')), tokens: [] },
  })
  return base58.encode(transaction.signatures[0] ?? new Uint8Array(64))
}
