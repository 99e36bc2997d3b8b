import type { Diagnosis, DiagnosisRequest } from '@causeway/core/chain'
import { diagnoseNamedAllocator, type JsonRpcEndpoint, type RpcOutcome } from '@causeway/core/chain-kit'
import { toFunctionSelector } from 'viem/utils'
import { diagnoseAllowances } from './diagnoseAllowances.js'
import type { DiagnoseDeps } from './diagnoseDeps.js'

const ALLOCATOR = toFunctionSelector('allocator()')

const text = (outcome: RpcOutcome | undefined): string => (outcome?.ok === true ? String(outcome.result) : '0x')

/**
 * The contracts are where they should be, the depository obeys the operator's own allocator, and the routers may take what the
 * solver is to pay through them.
 */
export const diagnoseContracts = async (
  endpoint: JsonRpcEndpoint,
  { config, settings }: Pick<DiagnoseDeps, 'config' | 'settings'>,
  { allocator }: DiagnosisRequest,
): Promise<readonly Diagnosis[]> => {
  const { depository, fillRouter, swap } = settings
  const code = (address: string) => ({ method: 'eth_getCode', params: [address, 'latest'] })
  const others = [
    ...(fillRouter === null ? [] : [{ name: 'fill router', address: fillRouter, option: 'fillRouter' }]),
    ...(swap === null
      ? []
      : [
          { name: 'swap router', address: swap.router, option: 'swap.router' },
          { name: 'wrapped native currency', address: swap.wrappedNative, option: 'swap.wrappedNative' },
        ]),
  ]
  const [depositoryCode, answer, ...codes] = await endpoint.batch([
    code(depository),
    { method: 'eth_call', params: [{ to: depository, data: ALLOCATOR }, 'latest'] },
    ...others.map(({ address }) => code(address)),
  ])
  const found = [present(`${config.slug} depository`, text(depositoryCode), 'depository')]
  for (const [at, { name, option }] of others.entries()) {
    found.push(present(`${config.slug} ${name}`, text(codes[at]), option))
  }
  found.push(...(await diagnoseAllowances(endpoint, { config, settings })))
  if (text(depositoryCode) !== '0x') found.push(obeys(`${config.slug} depository`, text(answer), allocator))
  return found
}

const present = (subject: string, code: string, option: string): Diagnosis =>
  code === '0x'
    ? {
        check: 'contract',
        subject,
        state: 'fault',
        message: 'there is no contract at the configured address',
        remedy: `Correct "${option}" in the chain's options, or deploy it.`,
      }
    : { check: 'contract', subject, state: 'ok', message: 'is deployed' }

const obeys = (subject: string, answer: string, allocator: string | null): Diagnosis => {
  if (answer.length < 66) {
    const message = 'does not name its allocator: it is another contract'
    const remedy = 'Correct "depository" in the chain\'s options.'
    return { check: 'allocator', subject, state: 'fault', message, remedy }
  }
  return diagnoseNamedAllocator(subject, `0x${answer.slice(26, 66)}`, allocator?.toLowerCase() ?? null)
}
