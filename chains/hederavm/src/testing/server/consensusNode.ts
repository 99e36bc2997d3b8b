import { CallError, FaultedCall, METHOD_MISSING, type NodeServer, type RunCall } from '@causeway/core/testing'
import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData, status } from '@grpc/grpc-js'
import { proto } from '@hiero-ledger/proto'
import type { HederaNetwork } from '../engine/hederaNetwork.js'
import type { Code } from '../engine/values.js'
import { answerQuery } from './queries.js'

/** Methods that take transactions, and methods that take queries, by service. */
const TRANSACTIONS = {
  CryptoService: ['createAccount', 'updateAccount', 'cryptoTransfer', 'cryptoDelete', 'approveAllowances'],
  TokenService: [
    ...['createToken', 'associateTokens', 'mintToken', 'deleteToken', 'updateTokenFeeSchedule'],
    ...['freezeTokenAccount', 'unfreezeTokenAccount', 'grantKycToTokenAccount', 'revokeKycFromTokenAccount'],
    ...['pauseToken', 'unpauseToken'],
  ],
  ScheduleService: ['createSchedule', 'signSchedule'],
}
const QUERIES = {
  CryptoService: ['getTransactionReceipts', 'getTxRecordByTxID', 'cryptoGetBalance', 'getAccountInfo'],
  FileService: ['getFileContent'],
}

type Call = ServerUnaryCall<Uint8Array, Uint8Array>
type Reply = sendUnaryData<Uint8Array>

/** Starts the consensus node of an account on any port of 127.0.0.1: gRPC without TLS. */
export const startConsensusNode = async (
  network: HederaNetwork,
  account: string,
  run: RunCall,
): Promise<NodeServer> => {
  const submit = (bytes: Uint8Array, fault?: Code) => {
    const code = fault ?? network.submit(bytes, account)
    return proto.TransactionResponse.encode({ nodeTransactionPrecheckCode: proto.ResponseCodeEnum[code] }).finish()
  }
  const ask = (bytes: Uint8Array, fault?: Code) => answerQuery(network, account, bytes, fault)
  const server = new Server()
  addMethods(server, TRANSACTIONS, run, submit)
  addMethods(server, QUERIES, run, ask)
  const port = await new Promise<number>((resolve, reject) => {
    const done = (error: Error | null, at: number) => (error === null ? resolve(at) : reject(error))
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), done)
  })
  return { port, close: async () => server.forceShutdown() }
}

type Answer = (bytes: Uint8Array, fault?: Code) => Uint8Array

const addMethods = (
  server: Server,
  services: Readonly<Record<string, readonly string[]>>,
  run: RunCall,
  answer: Answer,
): void => {
  const bytes = (value: Uint8Array) => Buffer.from(value)
  const codec = {
    ...{ requestStream: false, responseStream: false, requestDeserialize: bytes, responseSerialize: bytes },
    ...{ requestSerialize: bytes, responseDeserialize: bytes },
  }
  for (const [service, methods] of Object.entries(services)) {
    const definition = Object.fromEntries(
      methods.map((name) => [name, { ...codec, path: `/proto.${service}/${name}` }]),
    )
    const handlers = methods.map((name) => [
      name,
      (call: Call, reply: Reply) => void serve(name, call, reply, { run, answer }),
    ])
    server.addService(definition, Object.fromEntries(handlers))
  }
}

const serve = async (
  method: string,
  { request }: Call,
  reply: Reply,
  { run, answer }: { readonly run: RunCall; readonly answer: Answer },
): Promise<void> => {
  try {
    reply(null, await run(method, () => answer(request)))
  } catch (error) {
    if (error instanceof CallError && error.code !== METHOD_MISSING && isCode(error.message)) {
      return reply(null, answer(request, error.message))
    }
    if (error instanceof FaultedCall) return suffer(error, reply)
    const missing = error instanceof CallError && error.code === METHOD_MISSING
    reply({ code: missing ? status.UNIMPLEMENTED : status.INTERNAL, details: String(error) })
  }
}

/** A fault of a node: no answer, bytes that are no protobuf, or the status that gRPC has for an unreachable node. */
const suffer = ({ fault }: FaultedCall, reply: Reply): void => {
  if (fault.hang === true) return
  if (fault.garbage === undefined) reply({ code: status.UNAVAILABLE, details: 'unavailable' })
  else reply(null, Buffer.from(fault.garbage))
}

const isCode = (text: string): text is Code => Object.hasOwn(proto.ResponseCodeEnum, text)

export const CONSENSUS_METHODS: ReadonlySet<string> = new Set([
  ...Object.values(TRANSACTIONS).flat(),
  ...Object.values(QUERIES).flat(),
])
