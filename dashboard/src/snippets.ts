/** Programs that save a document and read some, by the language that they are in. */
export const SNIPPETS = {
  curl: (address: string) => `curl -H 'X-Service-API-Key: YOUR_KEY' -H 'Content-Type: application/json' \\
  -d '{"text":"hello"}' '${address}'
curl -H 'X-Service-API-Key: YOUR_KEY' '${address}?l=5'
`,
  JavaScript: (address: string) => `const address = '${address}'
const headers = { 'X-Service-API-Key': 'YOUR_KEY', 'Content-Type': 'application/json' }

await fetch(address, { method: 'POST', headers, body: JSON.stringify({ text: 'hello' }) })
const answer = await fetch(\`\${address}?l=5\`, { headers })
console.log(await answer.json())
`,
  Python: (address: string) => `import json
from urllib.request import Request, urlopen

address = "${address}"
headers = {"X-Service-API-Key": "YOUR_KEY", "Content-Type": "application/json"}

urlopen(Request(address, json.dumps({"text": "hello"}).encode(), headers))
with urlopen(Request(address + "?l=5", headers=headers)) as answer:
    print(json.load(answer))
`,
  Arduino: (address: string) => `#include <HTTPClient.h>
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
  http.begin(client, "${address}");
  http.addHeader("X-Service-API-Key", "YOUR_KEY");
  http.addHeader("Content-Type", "application/json");
  Serial.println(http.POST("{\\"text\\":\\"hello\\"}"));
  http.end();
}

void loop() {}
`,
} as const

/** Where a collection is reached, in a form that stands within quotes of every language. */
export function collectionAddress(origin: string, slug: string, collection: string): string {
  return `${origin}/apps/${slug}/collections/${encodeURIComponent(collection).replaceAll("'", '%27')}`
}
