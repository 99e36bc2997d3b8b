import { useQuery } from '@tanstack/react-query'
import { EmptyState, Loaded } from '../../../components/feedback/States.js'
import { shortened } from '../../../components/values/Copyable.js'
import { PageHead } from '../../../shell/PageHead.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { readCommand } from '../commands.js'
import { Crumb } from '../parts/Crumb.js'
import { AddressActions } from './AddressActions.js'
import { AddressStory } from './AddressStory.js'
import type { AddressDetails } from './addressView.js'

const words = consoleTexts.addresses

/** One address to pay to: its terms, what came, how it was swept, what became of it. */
export const AddressPage = ({ address }: { readonly address: string }) => {
  const query = useQuery(
    readCommand<{ readonly addresses: readonly AddressDetails[] }>({
      name: 'deposit-addresses show',
      arguments: [address],
    }),
  )
  return (
    <>
      <PageHead title={shortened(address)} crumb={<Crumb href="/console/addresses" text={words.back} />}>
        <AddressActions address={address} />
      </PageHead>
      <Loaded query={query} lines={8}>
        {({ addresses }) =>
          addresses.length === 0 ? (
            <EmptyState title={words.noSuch} />
          ) : (
            addresses.map((details) => <AddressStory key={details.addressId} details={details} />)
          )
        }
      </Loaded>
    </>
  )
}
