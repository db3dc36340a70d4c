import { useEffect, useRef, useState } from 'react'

/**
 * Takes what is dropped anywhere on the page; a browser would open it, in the place of the page.
 * @param onDrop told of it while the event is handled, for what was dropped is gone then
 * @returns whether files are held over the window
 */
export function useDrop(onDrop: (dropped: DataTransfer) => void): boolean {
  const latest = useRef(onDrop)
  latest.current = onDrop
  const [isOver, setIsOver] = useState(false)
  useEffect(() => {
    const ofFiles = (act: (dropped: DataTransfer, event: DragEvent) => void) => (event: DragEvent) => {
      const { dataTransfer } = event
      if (!dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      act(dataTransfer, event)
    }
    const over = ofFiles(() => setIsOver(true))
    const leave = ofFiles((_, { relatedTarget }) => relatedTarget === null && setIsOver(false))
    const drop = ofFiles((dropped) => {
      setIsOver(false)
      latest.current(dropped)
    })
    window.addEventListener('dragover', over)
    window.addEventListener('dragleave', leave)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragover', over)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('drop', drop)
    }
  }, [])
  return isOver
}
