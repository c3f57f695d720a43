package resultfile

import "simhashkit/bench/gobench/benchname"

// Summary is a row with its name taken apart and its samples summed up.
type Summary struct {
	Name    benchname.Name
	Unit    string
	Err     string // why there is no figure
	Skipped bool   // it was left out on purpose; Err says why
	Figure
}

// Summarize sums the rows up, in order. A row without samples has an error.
func Summarize(rows []Row) []Summary {
	var list []Summary
	for _, r := range rows {
		name, err := benchname.Parse(r.Name)
		if err != nil {
			name = benchname.Name{Base: r.Name} // a name of somebody else's
		}
		s := Summary{Name: name, Unit: r.Unit, Err: r.Err}
		switch {
		case r.Skipped != "":
			s.Skipped, s.Err = true, r.Skipped
		case r.Err == "" && len(r.Samples) == 0:
			s.Err = "no samples"
		case r.Err == "":
			s.Figure = r.Figure()
		}
		list = append(list, s)
	}
	return list
}
