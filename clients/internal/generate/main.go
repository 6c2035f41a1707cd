// Command generate writes the parts of the TypeScript and Python clients that follow from the contract:
// `go run ./clients/internal/generate` from the root of the repository.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

const contract = "contract/openapi.gen.json"

func main() {
	into := flag.String("into", "", "the folder of the clients in which make clients builds them; empty: that of the repository")
	flag.Parse()
	if err := run(*into); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// run writes the generated files. Into another folder it also writes the contract as the clients see it: openapi-typescript
// makes the types of schema.gen.ts from it.
func run(into string) error {
	a, err := load(contract)
	if err != nil {
		return err
	}
	files := map[string]string{
		"python/levy_client/types.py":      a.pythonTypes(),
		"python/levy_client/operations.py": a.pythonOperations(),
		"typescript/src/operations.gen.ts": a.typescript(),
	}
	if into == "" {
		into = "clients"
	} else if files["typescript/contract.json"], err = a.document(); err != nil {
		return err
	}
	for file, content := range files {
		if err := os.WriteFile(filepath.Join(into, file), []byte(content), 0o644); err != nil {
			return err
		}
	}
	return nil
}
