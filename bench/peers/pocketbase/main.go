// PocketBase as a framework: its own program, with TLS on its listener and the benchmark's collection.
package main

import (
	"crypto/tls"
	"log"
	"net"
	"os"

	"github.com/pocketbase/pocketbase"
	"github.com/pocketbase/pocketbase/core"
)

const batchRequests = 10_000
const batchSeconds = 60

func main() {
	app := pocketbase.New()
	app.OnServe().BindFunc(func(e *core.ServeEvent) error {
		if err := prepare(e.App); err != nil {
			return err
		}
		// It would open a browser.
		e.InstallerFunc = nil
		certificate, err := tls.LoadX509KeyPair(os.Getenv("BENCH_CERT"), os.Getenv("BENCH_KEY"))
		if err != nil {
			return err
		}
		plain, err := net.Listen("tcp", e.Server.Addr)
		if err != nil {
			return err
		}
		e.Listener = tls.NewListener(plain, &tls.Config{
			Certificates: []tls.Certificate{certificate},
			MinVersion:   tls.VersionTLS12,
		})
		return e.Next()
	})
	if err := app.Start(); err != nil {
		log.Fatal(err)
	}
}

// prepare makes a collection that everybody may use, with an index, and lets batches in.
func prepare(app core.App) error {
	settings := app.Settings()
	settings.Batch = core.BatchConfig{Enabled: true, MaxRequests: batchRequests, Timeout: batchSeconds}
	if err := app.Save(settings); err != nil {
		return err
	}
	people := core.NewBaseCollection("people")
	everybody := ""
	people.ListRule, people.ViewRule, people.CreateRule = &everybody, &everybody, &everybody
	for _, name := range []string{"name", "email", "created", "note"} {
		people.Fields.Add(&core.TextField{Name: name})
	}
	for _, name := range []string{"age", "score", "branch"} {
		people.Fields.Add(&core.NumberField{Name: name})
	}
	people.Fields.Add(&core.BoolField{Name: "active"})
	people.Fields.Add(&core.JSONField{Name: "tags"}, &core.JSONField{Name: "address"})
	people.AddIndex("people_branch", false, "branch", "")
	return app.Save(people)
}
