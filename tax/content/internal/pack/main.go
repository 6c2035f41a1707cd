// Command pack compresses the content tables into the one file that is
// embedded. Equal tables give an equal file. Run it with "go generate".
package main

import (
	"log"
	"os"

	"levy/tax/content/internal/pack/archive"
)

func main() {
	packed, err := archive.Pack(os.DirFS("data"))
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile("content.zip", packed, 0o644); err != nil {
		log.Fatal(err)
	}
}
