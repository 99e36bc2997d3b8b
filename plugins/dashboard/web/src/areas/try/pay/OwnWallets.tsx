import { Coins, Wallet } from 'lucide-react'
import { useState } from 'react'
import { accountOf } from '../../../api/walletCalls.js'
import { type AnnouncedWallet, useWallets } from '../../../api/wallets.js'
import { Button } from '../../../components/controls/Button.js'
import { toast } from '../../../components/feedback/Toasts.js'
import { shortened } from '../../../components/values/Copyable.js'
import { tryTexts } from '../../../texts/tryTexts.js'
import type { TryRoute } from '../route/tryRoute.js'
import { giveMoney } from './giveMoney.js'

const words = tryTexts.pay

export interface OwnWalletsProps {
  readonly route: TryRoute
  readonly mainnetIds: boolean
  readonly isBusy: boolean
  pay(wallet: AnnouncedWallet): void
}

const give = async (route: TryRoute, wallet: AnnouncedWallet): Promise<void> => {
  try {
    const account = await accountOf(wallet)
    await giveMoney(route, account)
    toast(words.ownGiven(shortened(account, 13), route.from.displayName))
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error), 'bad')
  }
}

const OwnWallet = ({
  wallet,
  route,
  isBusy,
  pay,
}: Omit<OwnWalletsProps, 'mainnetIds'> & { wallet: AnnouncedWallet }) => {
  const [isGiving, setGiving] = useState(false)
  const onGive = async () => {
    setGiving(true)
    await give(route, wallet)
    setGiving(false)
  }
  const isOff = isBusy || isGiving
  return (
    <div className="row">
      <Button disabled={isOff} onClick={() => void onGive()}>
        <Coins aria-hidden />
        {isGiving ? words.ownGiving : words.ownGive}
      </Button>
      <Button disabled={isOff} onClick={() => pay(wallet)} className="button own-wallet">
        <Wallet aria-hidden />
        <span className="cut">{words.own(wallet.info.name.slice(0, 40))}</span>
      </Button>
    </div>
  )
}

/** Pays with a wallet of the browser, where the chain is of a kind that they know and of no real network. */
export const OwnWallets = ({ mainnetIds, ...rest }: OwnWalletsProps) => {
  const wallets = useWallets()
  if (mainnetIds) return <p className="small soft">{words.ownNotHere}</p>
  if (rest.route.from.vmType !== 'evm') return <p className="small soft">{words.ownNotEvm}</p>
  if (wallets.length === 0) return <p className="small soft">{words.ownNone}</p>
  return (
    <div className="tight">
      <p className="small soft">{words.ownLead}</p>
      {wallets.map((wallet) => (
        <OwnWallet key={wallet.info.uuid} wallet={wallet} {...rest} />
      ))}
    </div>
  )
}
