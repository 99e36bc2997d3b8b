import { useState } from 'react'
import { callApi, withQuery } from '../../../api/callApi.js'
import { accountOf, signBytes } from '../../../api/walletCalls.js'
import { type AnnouncedWallet, useWallets } from '../../../api/wallets.js'
import { Button } from '../../../components/controls/Button.js'
import { Dialog } from '../../../components/controls/Dialogs.js'
import { SelectField, TextField } from '../../../components/controls/Field.js'
import { Notice } from '../../../components/feedback/Notice.js'
import { toast } from '../../../components/feedback/Toasts.js'
import { exactText } from '../../../components/values/amountText.js'
import { withFreshSignIn } from '../../../shell/session/SignInAgain.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { texts } from '../../../texts/texts.js'
import { useChains } from '../data/chains.js'
import { type OwedAmount, smallestUnits } from './wallet.js'

const words = dashboardTexts.balance.claimForm

export interface ClaimDialogProps {
  /** Null: closed. */
  readonly owed: OwedAmount | null
  readonly wallet: string
  onClose(): void
  changed(): unknown
}

/** Claims a balance: the service binds it to 32 bytes, and the wallet signs them. */
export const ClaimDialog = ({ owed, wallet, onClose, changed }: ClaimDialogProps) => (
  <Dialog open={owed !== null} onClose={onClose} title={words.title} lead={words.lead}>
    {owed !== null && <ClaimForm owed={owed} wallet={wallet} onClose={onClose} changed={changed} />}
  </Dialog>
)

interface ClaimTerms {
  readonly chainId: number
  readonly currency: string
  readonly recipient: string
  readonly amount?: string
}

interface ClaimSteps {
  readonly steps: readonly {
    readonly items: readonly {
      readonly data: {
        readonly sign: { readonly signatureKind: string; readonly message: string }
        readonly post: {
          readonly endpoint: string
          readonly body: { readonly kind: string; readonly requestId: string }
        }
      }
    }[]
  }[]
}

/** Has the service write down a claim, the wallet sign it, and the service take it. @throws ApiFailure, WalletRefused */
const signClaim = async (terms: ClaimTerms, owner: string, wallet: AnnouncedWallet): Promise<void> => {
  const account = await accountOf(wallet)
  if (account.toLowerCase() !== owner.toLowerCase()) throw new Error(words.otherAccount(owner))
  const { steps } = await callApi<ClaimSteps>(`/app-fees/${owner}/claim`, { method: 'POST', body: terms })
  const items = steps.flatMap((step) => step.items)
  const [item] = items
  const isUsual =
    items.length === 1 &&
    item?.data.sign.signatureKind === 'eip191' &&
    /^0x[0-9a-f]{64}$/i.test(item.data.sign.message) &&
    item.data.post.endpoint === '/execute/permits'
  if (!isUsual) throw new Error(words.unexpected)
  const { sign, post } = item.data
  const signature = await signBytes(wallet, account, sign.message)
  await callApi(withQuery('/execute/permits', { signature }), { method: 'POST', body: post.body })
}

const ClaimForm = ({ owed, wallet, onClose, changed }: ClaimDialogProps & { readonly owed: OwedAmount }) => {
  const { chains, nameOf } = useChains()
  const wallets = useWallets()
  const { currency, amount } = owed
  const [chainId, setChainId] = useState(currency.chainId)
  const [paidIn, setPaidIn] = useState(currency.address)
  const [recipient, setRecipient] = useState(wallet)
  const [part, setPart] = useState('')
  const [trouble, setTrouble] = useState<string | null>(null)
  const [isWorking, setWorking] = useState(false)
  const units = part.trim() === '' ? undefined : smallestUnits(part, currency.decimals)
  const tokens = chains.find(({ id }) => id === chainId)?.solverCurrencies ?? []
  const choices = tokens.map(({ address, symbol }) => ({ value: address, text: symbol }))
  const submit = async (signer: AnnouncedWallet) => {
    if (units === null || recipient.trim() === '') return
    setWorking(true)
    setTrouble(null)
    try {
      const terms = {
        chainId,
        currency: paidIn,
        recipient: recipient.trim(),
        ...(units === undefined ? {} : { amount: units }),
      }
      await withFreshSignIn(() => signClaim(terms, wallet, signer))
      toast(words.done)
      onClose()
      await changed()
    } catch (error) {
      setTrouble(error instanceof Error ? error.message : String(error))
    } finally {
      setWorking(false)
    }
  }
  const chooseChain = (id: number) => {
    setChainId(id)
    const there = chains.find((chain) => chain.id === id)?.solverCurrencies ?? []
    setPaidIn((there.find(({ symbol }) => symbol === currency.symbol) ?? there[0])?.address ?? '')
  }
  return (
    <div className="stack">
      <div className="grid">
        <SelectField
          label={words.chain}
          choices={chains.map(({ id }) => ({ value: String(id), text: nameOf(id) }))}
          value={String(chainId)}
          onChange={({ target }) => chooseChain(Number(target.value))}
        />
        <SelectField
          label={words.currency}
          choices={choices.length === 0 ? [{ value: currency.address, text: currency.symbol }] : choices}
          value={paidIn}
          onChange={({ target }) => setPaidIn(target.value)}
        />
      </div>
      <p className="field-hint">{words.currencyHint}</p>
      <TextField
        label={words.recipient}
        hint={words.recipientHint}
        problem={recipient.trim() === '' ? words.badRecipient : null}
        value={recipient}
        maxLength={256}
        onChange={({ target }) => setRecipient(target.value)}
      />
      <TextField
        label={words.amount(currency.symbol.slice(0, 24))}
        hint={words.amountHint(exactText(BigInt(amount), currency.decimals))}
        problem={units === null ? words.badAmount(currency.decimals) : null}
        inputMode="decimal"
        value={part}
        onChange={({ target }) => setPart(target.value)}
      />
      {trouble !== null && <Notice tone="bad">{trouble}</Notice>}
      {wallets.length === 0 && <Notice tone="warn">{words.noWallets}</Notice>}
      <div className="dialog-end">
        <Button onClick={onClose}>{texts.data.cancel}</Button>
        {wallets.map((each) => (
          <Button
            key={each.info.uuid}
            kind="primary"
            disabled={isWorking || units === null || recipient.trim() === ''}
            onClick={() => void submit(each)}
          >
            {isWorking ? texts.data.working : words.sign(each.info.name.slice(0, 40))}
          </Button>
        ))}
      </div>
    </div>
  )
}
