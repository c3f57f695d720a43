package datasets_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"simhashkit/datasets"
)

// Stream a file of any size, one vector at a time, and report bad lines without stopping.
func ExampleNewVectorReader() {
	text := "1 3:1\n1 3;1\n1 5:nan\n1 8:2\n"
	reader, err := datasets.NewVectorReader[float64](context.Background(), strings.NewReader(text), "", datasets.ReadOptions{
		Name:    "data.svm",
		OnError: func(err error) { fmt.Println(err) },
	})
	if err != nil {
		log.Fatal(err)
	}
	defer reader.Close()
	var row datasets.Row[float64]
	for {
		err := reader.Read(&row)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("line", row.Line, row.Indices, row.Weights)
	}
	fmt.Println(reader.Bad(), "lines left out")
	// Output:
	// line 1 [3] [1]
	// data.svm:2:3: expected index:value, got "3;1"
	// data.svm:3:5: expected a finite weight, got "nan"
	// line 4 [8] [2]
	// 2 lines left out
}

func ExampleWriteSVMLight() {
	set := datasets.CSR[float32]{
		Offsets: []int{0, 2, 3},
		Indices: []uint64{3, 4, 1 << 40},
		Weights: []float32{0.1, 2, 1},
		IDs:     []string{"a.txt", "b.txt"},
	}
	if err := datasets.WriteSVMLight(context.Background(), os.Stdout, &set); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 0 3:0.1 4:2 # a.txt
	// 0 1099511627776:1 # b.txt
}

func ExampleGenerate() {
	set, pairs, err := datasets.Generate[float32](context.Background(), datasets.GenerateOptions{
		Vectors:    1000,
		NNZ:        100,
		Duplicates: []datasets.PlantedPairs{{Cosine: 0.95, Pairs: 2}},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(set.Len(), "vectors")
	for _, p := range pairs {
		fmt.Printf("vectors %d and %d: cosine %.4f\n", p.A, p.B, p.Cosine)
	}
	// Output:
	// 1000 vectors
	// vectors 309 and 645: cosine 0.9493
	// vectors 364 and 313: cosine 0.9500
}

func ExampleCosine() {
	a, b := []uint64{1, 2, 3, 4}, []uint64{2, 3, 4, 5}
	fmt.Println(datasets.Cosine[float32](a, nil, b, nil))
	// Output: 0.75
}

// Load takes the names that users type: a file, or go-source. On a machine without
// Go, the example uses the generator instead.
func ExampleLoad() {
	set, description, err := datasets.Load[float32](context.Background(), "go-source", datasets.ReadOptions{})
	if errors.Is(err, datasets.ErrNoGoTree) {
		set, _, err = datasets.Generate[float32](context.Background(), datasets.GenerateOptions{Vectors: 10, NNZ: 1000})
		description = "generated vectors, since " + datasets.ErrNoGoTree.Error()
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(description != "", set.Len() > 0, set.Len() <= 512)
	// Output: true true true
}
