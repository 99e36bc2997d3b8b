import { Share2 } from 'lucide-react'
import { Button } from '../../../components/controls/Button.js'
import { Hint } from '../../../components/controls/Hint.js'
import { toast } from '../../../components/feedback/Toasts.js'
import { texts } from '../../../texts/texts.js'

/** Hands the link to what the device shares with; where it has nothing of the kind, copies it. */
const share = async (url: string): Promise<void> => {
  if (typeof navigator.share === 'function') {
    try {
      await navigator.share({ title: texts.track.shareTitle, url })
      return
    } catch (error) {
      // Whoever closed the device's list wanted nothing more.
      if (error instanceof DOMException && error.name === 'AbortError') return
    }
  }
  try {
    await navigator.clipboard.writeText(url)
    toast(texts.track.shared)
  } catch {
    toast(texts.track.notShared, 'bad')
  }
}

export const ShareButton = ({ requestId }: { readonly requestId: string }) => (
  <Hint text={texts.track.shareHint}>
    <Button onClick={() => void share(new URL(`/track/${requestId}`, location.origin).href)}>
      <Share2 aria-hidden />
      {texts.track.share}
    </Button>
  </Hint>
)
