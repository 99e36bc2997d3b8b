import { useInfiniteQuery } from '@tanstack/react-query'
import { CheckField, SelectField } from '../../../components/controls/Field.js'
import { type Column, DataTable } from '../../../components/data/DataTable.js'
import { EmptyState } from '../../../components/feedback/States.js'
import { shortened } from '../../../components/values/Copyable.js'
import { Time } from '../../../components/values/Time.js'
import { PageHead } from '../../../shell/PageHead.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { keyOfReads, LIVE_MS, readOnce } from '../commands.js'
import { addressHref } from '../parts/hrefs.js'
import { Money, symbolOf } from '../parts/money/Money.js'
import { useAddressState } from '../parts/useAddressState.js'
import { useChainName, useChains } from '../parts/useChains.js'
import { AddressPage } from './AddressPage.js'
import { type AddressView, liesAt } from './addressView.js'

const words = consoleTexts.addresses
const NAME = 'deposit-addresses list'

const Route = ({ view: { currency, destination, chainId } }: { readonly view: AddressView }) => {
  const chainName = useChainName()
  const to = destination === null ? '?' : `${symbolOf(destination)} ${chainName(destination.chainId)}`
  return <span className="cut">{`${symbolOf(currency)} ${chainName(chainId)} → ${to}`}</span>
}

const lookedAt = ({ places }: AddressView): string | null =>
  places.reduce<string | null>(
    (last, { foundAt }) => (foundAt !== null && foundAt > (last ?? '') ? foundAt : last),
    null,
  )

const COLUMNS: readonly Column<AddressView>[] = [
  {
    id: 'address',
    title: words.address,
    wide: true,
    cell: ({ address }) => (
      <span className="mono cut" title={address}>
        {shortened(address)}
      </span>
    ),
  },
  { id: 'route', title: words.route, width: 'minmax(0, 1.5fr)', wide: true, cell: (view) => <Route view={view} /> },
  {
    id: 'lies',
    whole: true,
    title: words.lies,
    align: 'end',
    cell: (view) => {
      const [first, ...others] = liesAt(view)
      if (first === undefined) return <span className="faint">{words.nothing}</span>
      return (
        <span className="wrap">
          <Money money={first} /> {others.length > 0 && `+ ${others.length}`}
        </span>
      )
    },
  },
  {
    id: 'looked',
    title: words.looked,
    width: '7rem',
    cell: (view) => {
      const at = lookedAt(view)
      return at === null ? <span className="faint">{words.never}</span> : <Time at={at} />
    },
  },
  { id: 'created', title: words.created, width: '7rem', cell: ({ createdAt }) => <Time at={createdAt} /> },
]

interface AddressList {
  readonly addresses: readonly AddressView[]
  readonly more: boolean
}

const PAGE = '100'

const useAddresses = (chain: string, unswept: boolean) =>
  useInfiniteQuery({
    queryKey: [...keyOfReads(NAME), chain, unswept],
    queryFn: ({ pageParam, signal }) =>
      readOnce<AddressList>({ name: NAME, options: { chain, unswept, before: pageParam, limit: PAGE } }, signal),
    initialPageParam: '',
    getNextPageParam: ({ addresses, more }) => (more ? addresses.at(-1)?.addressId : undefined),
    // Pages that were gone through are not all read again every few seconds.
    refetchInterval: ({ state }) => (state.data === undefined || state.data.pages.length === 1 ? LIVE_MS : false),
  })

/** Addresses that quotes gave, or the one that the address of the page names. */
export const AddressesPage = ({ id }: { readonly id: string | null }) =>
  id === null ? <List /> : <AddressPage address={id} />

const List = () => {
  const [{ chain = '', unswept = '' }, change] = useAddressState()
  const chains = useChains()
  const query = useAddresses(chain, unswept !== '')
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <CheckField
          label={words.unswept}
          checked={unswept !== ''}
          onChange={({ target }) => change({ unswept: target.checked ? 'yes' : null })}
        />
        <SelectField
          label={consoleTexts.parts.chain}
          value={chain}
          onChange={({ target }) => change({ chain: target.value })}
          choices={[
            { value: '', text: consoleTexts.parts.allChains },
            ...chains.map(({ name }) => ({ value: name, text: name })),
          ]}
        />
      </PageHead>
      <DataTable
        label={words.title}
        columns={COLUMNS}
        rows={query.data?.pages.flatMap(({ addresses }) => addresses)}
        rowKey={({ addressId }) => addressId}
        rowHref={({ address }) => addressHref(address)}
        error={query.error}
        retry={() => void query.refetch()}
        hasMore={query.hasNextPage}
        isLoadingMore={query.isFetchingNextPage}
        loadMore={() => void query.fetchNextPage()}
        empty={
          <EmptyState title={unswept === '' ? words.empty : words.emptyUnswept}>
            <p>{words.emptyMore}</p>
          </EmptyState>
        }
      />
    </>
  )
}
