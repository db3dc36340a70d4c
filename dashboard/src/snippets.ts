/** What a program of an example reaches. */
export interface Example {
  /** Of a collection. */
  readonly address: string
  /** Whether it saves a document first: nobody is to find one of an example in a collection that is there already. */
  readonly saves: boolean
}

/** Programs that read some documents, by the language that they are in. */
export const SNIPPETS = {
  curl: ({ address, saves }: Example) => `${saves ? `${saveByCurl(address)}\n` : ''}${readByCurl(address)}\n`,
  JavaScript: ({ address, saves }: Example) => `const address = '${address}'
const headers = { 'X-Service-API-Key': 'YOUR_KEY', 'Content-Type': 'application/json' }

${saves ? "await fetch(address, { method: 'POST', headers, body: JSON.stringify({ text: 'hello' }) })\n" : ''}\
const answer = await fetch(\`\${address}?l=5\`, { headers })
console.log(await answer.json())
`,
  Python: ({ address, saves }: Example) => `import json
from urllib.request import Request, urlopen

address = "${address}"
headers = {"X-Service-API-Key": "YOUR_KEY", "Content-Type": "application/json"}

${saves ? 'urlopen(Request(address, json.dumps({"text": "hello"}).encode(), headers))\n' : ''}\
with urlopen(Request(address + "?l=5", headers=headers)) as answer:
    print(json.load(answer))
`,
  Arduino: ({ address, saves }: Example) => `#include <HTTPClient.h>
#include <WiFi.h>
#include <WiFiClientSecure.h>

// The certificate that vouches for the server's, in PEM.
const char CA[] = R"(-----BEGIN CERTIFICATE-----
-----END CERTIFICATE-----)";

void setup() {
  Serial.begin(115200);
  WiFi.begin("NETWORK", "PASSWORD");
  while (WiFi.status() != WL_CONNECTED) delay(100);

  WiFiClientSecure client;
  client.setCACert(CA);
  HTTPClient http;
  http.begin(client, "${saves ? address : `${address}?l=5`}");
  http.addHeader("X-Service-API-Key", "YOUR_KEY");
  ${saves ? SAVE_BY_ARDUINO : 'Serial.println(http.GET());'}
  Serial.println(http.getString());
  http.end();
}

void loop() {}
`,
} as const

const SAVE_BY_ARDUINO = `http.addHeader("Content-Type", "application/json");
  Serial.println(http.POST("{\\"text\\":\\"hello\\"}"));`

function saveByCurl(address: string): string {
  return `curl -H 'X-Service-API-Key: YOUR_KEY' -H 'Content-Type: application/json' \\
  -d '{"text":"hello"}' '${address}'`
}

function readByCurl(address: string): string {
  return `curl -H 'X-Service-API-Key: YOUR_KEY' '${address}?l=5'`
}

/** Where a collection is reached, in a form that stands within quotes of every language. */
export function collectionAddress(origin: string, slug: string, collection: string): string {
  return `${origin}/apps/${slug}/collections/${encodeURIComponent(collection).replaceAll("'", '%27')}`
}
