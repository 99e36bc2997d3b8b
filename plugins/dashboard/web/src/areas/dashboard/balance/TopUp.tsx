import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { sendTransaction } from '../../../api/walletCalls.js'
import { useWallets } from '../../../api/wallets.js'
import { Button } from '../../../components/controls/Button.js'
import { SelectField, TextField } from '../../../components/controls/Field.js'
import { Notice } from '../../../components/feedback/Notice.js'
import { toast } from '../../../components/feedback/Toasts.js'
import { Copyable } from '../../../components/values/Copyable.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { texts } from '../../../texts/texts.js'
import { type ShownChain, useChains } from '../data/chains.js'
import { Facts } from '../data/Facts.js'
import { topUpData } from './topUpCall.js'
import { smallestUnits } from './wallet.js'

const words = dashboardTexts.balance.topUp
const NATIVE = /^0x0{40}$/

/** Tokens of a chain; its native currency has no transfer that could carry the name of the wallet. */
const tokensOf = ({ solverCurrencies }: ShownChain) => solverCurrencies.filter(({ address }) => !NATIVE.test(address))

const fits = (chain: ShownChain): boolean =>
  chain.vmType === 'evm' && !chain.disabled && chain.protocol.v2.depository !== null && tokensOf(chain).length > 0

/** Pays into the balance of a wallet: by a wallet of the browser, or by hand. */
export const TopUp = ({ wallet }: { readonly wallet: string }) => {
  const chains = useChains().chains.filter(fits)
  return (
    <section className="card" aria-label={words.title}>
      <div className="tight">
        <h2>{words.title}</h2>
        <p className="soft">{words.lead}</p>
      </div>
      {chains.length === 0 ? <p>{words.none}</p> : <TopUpForm chains={chains} wallet={wallet} />}
    </section>
  )
}

const TopUpForm = ({ chains, wallet }: { readonly chains: readonly ShownChain[]; readonly wallet: string }) => {
  const [chainId, setChainId] = useState(chains[0]?.id ?? 0)
  const [currency, setCurrency] = useState('')
  const [amount, setAmount] = useState('')
  const wallets = useWallets()
  const chain = chains.find(({ id }) => id === chainId) ?? chains[0]
  const tokens = chain === undefined ? [] : tokensOf(chain)
  const token = tokens.find(({ address }) => address === currency) ?? tokens[0]
  const depository = chain?.protocol.v2.depository
  const units = token === undefined ? null : smallestUnits(amount, token.decimals)
  const call =
    chain === undefined || token === undefined || depository == null || units === null || units === '0'
      ? null
      : { chainId: chain.id, to: token.address, data: topUpData(depository, units, wallet) }
  const send = useMutation({
    mutationFn: async (signer: (typeof wallets)[number]) => {
      if (call !== null) await sendTransaction(signer, call)
    },
    onSuccess: () => {
      setAmount('')
      toast(words.sent)
    },
  })
  return (
    <>
      <div className="filter-row">
        <SelectField
          label={words.chain}
          choices={chains.map(({ id, displayName }) => ({ value: String(id), text: displayName }))}
          value={String(chain?.id ?? '')}
          onChange={({ target }) => setChainId(Number(target.value))}
        />
        <SelectField
          label={words.currency}
          choices={tokens.map(({ address, symbol }) => ({ value: address, text: symbol }))}
          value={token?.address ?? ''}
          onChange={({ target }) => setCurrency(target.value)}
        />
        <TextField
          label={words.amount}
          inputMode="decimal"
          value={amount}
          problem={amount !== '' && call === null ? words.badAmount(token?.decimals ?? 0) : null}
          onChange={({ target }) => setAmount(target.value)}
        />
        {wallets.map((each) => (
          <Button key={each.info.uuid} disabled={call === null || send.isPending} onClick={() => send.mutate(each)}>
            {send.isPending ? texts.data.working : words.send(each.info.name.slice(0, 40))}
          </Button>
        ))}
      </div>
      {send.error !== null && <Notice tone="bad">{send.error.message}</Notice>}
      <p className="soft">{words.byHand}</p>
      {call === null ? (
        <p className="faint">{words.needsAmount}</p>
      ) : (
        <Facts
          facts={[
            { name: words.to, value: <Copyable text={call.to} what={words.to} /> },
            { name: words.data, value: <Copyable text={call.data} what={words.data} /> },
          ]}
        />
      )}
      <p className="small soft">{words.later}</p>
    </>
  )
}
