import { shortened } from '../../../components/values/Copyable.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { CommandButton, type CommandField } from '../parts/CommandDialog.js'
import { useChains } from '../parts/useChains.js'

const words = consoleTexts.addresses
const TYPED = 6

const useChainField = (): CommandField => ({
  name: 'chain',
  label: words.chain,
  hint: words.chainHint,
  kind: 'choice',
  choices: [{ value: '', text: words.ownChain }, ...useChains().map(({ name }) => ({ value: name, text: name }))],
})

/** Look at an address now, or sweep all that lies there. */
export const AddressActions = ({ address }: { readonly address: string }) => {
  const chain = useChainField()
  return (
    <>
      <CommandButton
        text={words.rescan}
        title={words.rescan}
        effect={() => words.rescanEffect(shortened(address))}
        fields={[chain]}
        call={({ chain: at = '' }) => ({
          name: 'deposit-addresses rescan',
          arguments: [address],
          options: { chain: at },
        })}
        confirm={words.look}
      />
      <CommandButton
        text={words.sweepNow}
        title={words.sweepNow}
        effect={() => (
          <>
            {words.sweepEffect(shortened(address))}{' '}
            {consoleTexts.action.lastCharacters(TYPED, consoleTexts.parts.address)}
          </>
        )}
        fields={[chain, { name: 'reason', label: consoleTexts.action.reason, hint: consoleTexts.action.reasonOffered }]}
        call={({ chain: at = '', reason = '' }) => ({
          name: 'deposit-addresses sweep',
          arguments: [address],
          options: { chain: at, reason },
        })}
        retype={() => address.slice(-TYPED)}
        confirmWith={() => address}
        confirm={words.sweepNow}
      />
    </>
  )
}
