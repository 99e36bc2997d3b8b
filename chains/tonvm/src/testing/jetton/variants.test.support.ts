import { readFileSync } from 'node:fs'
import { runTolkCompiler } from '@ton/tolk-js'

/** Sources are not built: seen from `src` and from `dist`. */
const CONTRACTS = new URL('../../../src/testing/jetton/contracts/', import.meta.url)
/** The statement by which a jetton wallet takes what another one, or the minter, sent. */
const TAKES = `assert (isMinted || isWalletOf(message.from, in.senderAddress, state)) throw ERROR_NOT_VALID_WALLET;
            state.balance += message.amount;`
/** Takes only what the minter sent. */
export const CLOSED = 'assert (isMinted) throw 99; state.balance += message.amount;'

const compiled = async (sourceOf: (name: string) => string): Promise<string> => {
  const result = await runTolkCompiler({ entrypointFileName: 'main.tolk', fsReadCallback: sourceOf })
  if (result.status === 'error') throw new Error(result.message)
  return result.codeBoc64
}

/** Base64 of the code of a contract by what it does with a message. */
export const contractCode = (body: string): Promise<string> =>
  compiled(() => `fun onInternalMessage(in: InMessage) { ${body} }`)

/** Base64 of the code of the jetton wallet that takes jettons in another way. */
export const walletWith = (statement: string): Promise<string> =>
  compiled((name) => {
    if (!name.endsWith('main.tolk')) return readFileSync(new URL(name.replace(/^.*[/]/, ''), CONTRACTS), 'utf8')
    const source = readFileSync(new URL('wallet.tolk', CONTRACTS), 'utf8')
    if (!source.includes(TAKES)) throw new Error('The source of the jetton wallet changed')
    return source.replace(TAKES, statement)
  })
