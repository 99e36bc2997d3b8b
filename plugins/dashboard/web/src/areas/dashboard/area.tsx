import { House } from 'lucide-react'
import type { AreaPage } from '../../shell/area.js'
import { PageHead } from '../../shell/PageHead.js'
import { SignedInArea } from '../../shell/SignedInArea.js'
import { texts } from '../../texts/texts.js'

const First = () => <PageHead title={texts.dashboard.title} />

const PAGES: readonly AreaPage[] = [{ path: '', title: texts.dashboard.title, icon: House, key: 'h', component: First }]

export const Area = () => <SignedInArea pages={PAGES} find={() => undefined} />
