import { Share2 } from 'lucide-react'
import { Button } from '../../../components/controls/Button.js'
import { toast } from '../../../components/feedback/Toasts.js'
import { trackTexts } from '../../../texts/trackTexts.js'

/** Hands the link to what the device shares with; where it has nothing of the kind, copies it. */
const share = async (url: string): Promise<void> => {
  if (typeof navigator.share === 'function') {
    try {
      await navigator.share({ title: trackTexts.shareTitle, url })
      return
    } catch (error) {
      // Whoever closed the device's list wanted nothing more.
      if (error instanceof DOMException && error.name === 'AbortError') return
    }
  }
  try {
    await navigator.clipboard.writeText(url)
    toast(trackTexts.shared)
  } catch {
    toast(trackTexts.notShared, 'bad')
  }
}

export const ShareButton = ({ requestId }: { readonly requestId: string }) => (
  <Button title={trackTexts.shareHint} onClick={() => void share(new URL(`/track/${requestId}`, location.origin).href)}>
    <Share2 aria-hidden />
    {trackTexts.share}
  </Button>
)
