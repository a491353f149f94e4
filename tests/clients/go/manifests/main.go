// Reads a compose file and manifests of Kubernetes as their own programs do, and fails for anything that these do not
// know: main compose.yaml manifests.yaml
package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/compose-spec/compose-go/v2/cli"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/yaml"
)

func main() {
	log.SetFlags(0)
	if err := readCompose(os.Args[1]); err != nil {
		log.Fatal(err)
	}
	if err := readManifests(os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

func readCompose(path string) error {
	options, err := cli.NewProjectOptions([]string{path}, cli.WithName("team"), cli.WithInterpolation(true))
	if err != nil {
		return err
	}
	project, err := options.LoadProject(context.Background())
	if err != nil {
		return err
	}
	for _, name := range project.ServiceNames() {
		fmt.Println("service", name)
	}
	return nil
}

func readManifests(path string) error {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{appsv1.AddToScheme, corev1.AddToScheme} {
		if err := add(scheme); err != nil {
			return err
		}
	}
	decoder := serializer.NewCodecFactory(scheme, serializer.EnableStrict).UniversalDeserializer()
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	documents := yaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(text)))
	for {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		_, kind, err := decoder.Decode(document, nil, nil)
		if err != nil {
			return fmt.Errorf("%s: %w", firstLine(document), err)
		}
		fmt.Println(kind.Kind)
	}
}

func firstLine(text []byte) []byte {
	return bytes.SplitN(text, []byte("\n"), 2)[0]
}
