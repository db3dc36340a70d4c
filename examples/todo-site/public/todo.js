const list = document.querySelector('#tasks')
const told = document.querySelector('#told')
const form = document.querySelector('#new')

/** What the server says of this site: the address of the API, the app whose site this is, and the key for it. */
const config = fetch('/_sheaf/config.json').then((response) => response.json())

/** One request of the API; what goes wrong is thrown with the server's own words. */
async function ask(path, { method = 'GET', json } = {}) {
  const { url, app, key } = await config
  if (key === null)
    throw new Error('this site has no key yet; its owner makes one on the page Site of the app.')
  const response = await fetch(`${url}/apps/${app}/collections/tasks${path}`, {
    method,
    headers: { 'X-Service-API-Key': key, ...(json && { 'Content-Type': 'application/json' }) },
    body: json && JSON.stringify(json),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.message)
  return answer
}

/** Does something, and tells where it did not work. */
async function attempt(act) {
  try {
    await act()
    told.textContent = list.childElementCount === 0 ? 'Nothing is to be done.' : ''
  } catch (error) {
    told.textContent = `That did not work: ${error.message}`
  }
}

function rowOf({ _id, title, done }) {
  const row = document.querySelector('#task').content.firstElementChild.cloneNode(true)
  const box = row.querySelector('input')
  const remove = row.querySelector('button')
  const path = `/${encodeURIComponent(_id)}`
  // Never as HTML: anybody who has the key of this page can save what they like.
  row.querySelector('span').textContent = title
  remove.setAttribute('aria-label', `Remove ${title}`)
  box.checked = done
  box.addEventListener('change', () =>
    attempt(async () => {
      try {
        await ask(path, { method: 'PUT', json: { $set: { done: box.checked } } })
      } catch (error) {
        box.checked = !box.checked
        throw error
      }
    }),
  )
  remove.addEventListener('click', () =>
    attempt(async () => {
      await ask(path, { method: 'DELETE' })
      row.remove()
    }),
  )
  return row
}

async function show() {
  list.replaceChildren(...(await ask('?s={"done":1}')).map(rowOf))
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  attempt(async () => {
    const title = form.title.value.trim()
    if (title === '') return
    const row = rowOf(await ask('', { method: 'POST', json: { title, done: false } }))
    list.insertBefore(row, list.querySelector('li:has(:checked)'))
    form.reset()
  })
})

// What was done on another device is seen when one comes back to this page.
document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && attempt(show))

await attempt(show)
