import { createPool } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { PublicKey, TransactionInstruction } from '@solana/web3.js'
import type { Pool } from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { type HostProcess, type HostProcessOptions, startHostProcess } from '../harness/host/hostProcess.js'
import { createApiKey } from '../harness/host/operatorCommand.js'
import type { Quote } from '../transfers/apiClient.js'
import { UserClient, type UserRequest } from '../transfers/userClient.js'
import { type CrossNetwork, currencyOf, EVM_ID, SVM_ID, startCrossNetwork } from './crossNetwork.js'

export const MEMO = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')
export let network: CrossNetwork
let database: TestDatabase
let host: HostProcess
export let client: UserClient
export let pool: Pool
export let options: HostProcessOptions
export const mintOf = (symbol: string): string => currencyOf(network, SVM_ID, symbol).address

export const refusal = async (request: UserRequest) => {
  await client.quote({ from: EVM_ID, to: SVM_ID, symbol: 'USDC', amount: 10n ** 19n, user: 0 })
  const { status, body } = await client.ask(request)
  const { errorCode, message } = body as unknown as { errorCode: string; message: string }
  return { status, errorCode, message }
}

export const toSolana = { from: EVM_ID, to: SVM_ID, symbol: 'USDC', amount: 10n ** 19n, user: 0 } as const
export const fromSolana = { from: SVM_ID, to: EVM_ID, symbol: 'USDC', amount: 10n ** 7n, user: 0 } as const

/** What the deposit of a quote does, to be sent by others than a plain wallet. */
export const instructionsOf = ({ steps }: Quote): TransactionInstruction[] => {
  // CAST: the one step of a quote from Solana (wire.md A.5).
  const data = steps[0]?.items[0]?.data as { readonly instructions: readonly StepInstruction[] }
  return data.instructions.map(
    ({ keys, programId, data: bytes }) =>
      new TransactionInstruction({
        keys: keys.map(({ pubkey, ...flags }) => ({ pubkey: new PublicKey(pubkey), ...flags })),
        programId: new PublicKey(programId),
        data: Buffer.from(bytes, 'hex'),
      }),
  )
}

interface StepInstruction {
  readonly keys: readonly { readonly pubkey: string; readonly isSigner: boolean; readonly isWritable: boolean }[]
  readonly programId: string
  readonly data: string
}

/** Starts a host over Solana and an EVM chain before the tests of a file, and stops it afterwards. */
export const useSolana = (): void => {
  beforeAll(async () => {
    ;[network, database] = await Promise.all([startCrossNetwork(), createTestDatabase({ packages: [] })])
    // Deposits worth more than 500 dollars wait until Solana itself calls them final.
    const quorum = [{ aboveUsd: '500', agreeing: 1, confirmations: 2 }]
    const chains = network.host.chains.map((chain) => (chain.id === SVM_ID ? { ...chain, quorum } : chain))
    options = { network: { ...network.host, chains }, databaseUrl: database.url }
    host = await startHostProcess(options)
    client = await UserClient.open(network, { url: host.url, apiKey: await createApiKey(options) })
    pool = createPool({ connectionString: database.url, max: 2, applicationName: 'causeway test' })
  })
  afterAll(async () => {
    host?.signal('SIGTERM')
    await host?.ended
    await pool?.end()
    await database?.drop()
    await network?.close()
  })
}
