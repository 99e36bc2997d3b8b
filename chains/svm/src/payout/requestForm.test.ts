import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bytesToHex, type Hex } from '@causeway/core'
import { createEd25519Signer, type Payout } from '@causeway/core/chain'
import { JsonRpcClient, requestGuard } from '@causeway/core/chain-kit'
import { Keypair, PublicKey } from '@solana/web3.js'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NATIVE } from '../address/addresses.js'
import { programAddresses } from '../deposit/program/programAddresses.js'
import { programDomain, transferRequestHash } from '../deposit/program/transferRequest.js'
import { AccountReader } from '../read/token/accountReader.js'
import { memoInstruction } from './memo/memoInstruction.js'
import { RequestForm } from './requestForm.js'

const PROGRAM = '99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2'
const SECRET: Hex = `0x${'11'.repeat(32)}`
const allocator = createEd25519Signer(SECRET)
const solver = Keypair.generate().publicKey.toBase58()
const terms = {
  to: solver,
  money: { currency: NATIVE, amount: 5n },
  nonce: `0x${'00'.repeat(31)}07` as Hex,
  expiration: 4_294_967_295,
}

let server: Server
let requests: RequestForm

/** The state account that an initialised program has; no such program can be compiled here. */
const state = Buffer.concat([
  Buffer.from('80359cbdf353f56b', 'hex'),
  new PublicKey(solver).toBuffer(),
  Buffer.from(allocator.publicKey),
  Buffer.from([255, 1]),
  programDomain(PROGRAM, 'solana'),
])

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { id } = JSON.parse(Buffer.concat(chunks).toString('utf8'))
      const data = [state.toString('base64'), 'base64']
      const account = { lamports: 1, owner: PROGRAM, executable: false, data }
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { context: { slot: 1 }, value: [account] } }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // CAST: a server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo
  const rpc = new JsonRpcClient({
    protocol: { identify: { method: 'getGenesisHash', params: [], matches: () => true }, unrepeatable: new Set() },
    endpoints: [{ http: `http://127.0.0.1:${port}` }],
    timeoutMs: 1000,
    logger: pino({ level: 'silent' }),
  })
  requests = new RequestForm({ program: PROGRAM, accounts: new AccountReader({ rpc }) })
})
afterAll(() => server?.close())

describe('withdrawals by request (chains.md, Depository program)', () => {
  const request = {
    domain: programDomain(PROGRAM, 'solana'),
    recipient: solver,
    token: null,
    amount: 5n,
    nonce: 7n,
    expiration: 4_294_967_295n,
    vault: programAddresses(PROGRAM).vault,
  }

  test('the allocator signs the hash of the request, which is also its guard', async () => {
    const hash = await requests.hash(terms)
    expect(Buffer.from(hash)).toEqual(transferRequestHash(request))
    const { signature, nonce, expiration } = await requests.authorize(terms, allocator)
    expect([nonce, expiration]).toEqual([terms.nonce, terms.expiration])
    expect(signature).toBe(`0x${Buffer.from(await allocator.sign(hash)).toString('hex')}`)
    expect(requestGuard(bytesToHex(hash), terms.expiration)).toMatch(/^request:0x[0-9a-f]{64}:4294967295$/)
  })

  test('another allocator than the program knows signs nothing', async () => {
    const other = createEd25519Signer(`0x${'22'.repeat(32)}`)
    await expect(requests.authorize(terms, other)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })

  test('the proof of the signature stands directly before the transfer', async () => {
    const authorization = await requests.authorize(terms, allocator)
    const payout: Payout = {
      purpose: 'withdraw',
      orderId: `0x${'ab'.repeat(32)}`,
      from: solver,
      to: { address: solver },
      money: terms.money,
      calls: [],
      authorization,
    }
    const form = await requests.build(payout, null, memoInstruction('memo'), true)
    expect(form.instructions.map(({ programId }) => programId.toBase58())).toEqual([
      'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
      'Ed25519SigVerify111111111111111111111111111',
      PROGRAM,
    ])
    expect(form).toMatchObject({ cosigner: null, destination: solver, source: programAddresses(PROGRAM).vault })
  })
})
