import { hasChromium } from '../../pages/browser.js'
import type { BenchWorld } from '../benchWorld.js'
import { measureConsoles } from '../pages/consoleLoad.js'
import { measureFirstViews } from '../pages/firstView.js'
import { withPagesStage } from '../pages/pagesStage.js'
import { measureScripts } from '../pages/scriptSizes.js'
import { measureScrolling } from '../pages/scrolling.js'
import { measureStatusOnScreen } from '../pages/statusOnScreen.js'
import type { Measurement } from '../table.js'

/** (x) Pages in a browser: what they load, when they can be used, how they scroll and follow, and what they cost the host. */
export const measurePages = async (world: BenchWorld): Promise<Measurement[]> => {
  if (!hasChromium) {
    world.say('pages: left out, there is no Chromium on this machine')
    return []
  }
  return withPagesStage(world, async (stage) => [
    ...(await measureFirstViews(stage)),
    ...(await measureScripts(stage)),
    ...(await measureScrolling(stage)),
    ...(await measureStatusOnScreen(stage)),
    ...(await measureConsoles(stage)),
  ])
}
