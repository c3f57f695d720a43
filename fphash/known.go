package fphash

// verificationCodes are what VerificationCode gives for the hashes of this project, those of
// package families too: frozen, since a hash is what its name says.
var verificationCodes = map[string]uint64{
	"crc32c":           0xfcb740095a1ee236,
	"fmix64":           0xa7ec14a067b2211e,
	"fnv1-64":          0x8bb3dcdd6ad7f553,
	"fnv1a128":         0x1e47fc43fa10d6b6,
	"fnv1a64":          0x427edd1aa78f8738,
	"highway128":       0xf8e96f9161262fa0,
	"highway256":       0x7574baa1ff3f61f6,
	"highway64":        0x842e1620e8dd7a06,
	"identity":         0xba88c9d92989cd38,
	"lookup3":          0xde3f73b15f653232,
	"md5":              0xb8085d01e2c6a869,
	"mixed-tabulation": 0x72763cd6fb5fdad8,
	"multiply-shift":   0x744bb21c29d17548,
	"murmur3-128":      0xfce1584a4b9af8ee,
	"rapidhash":        0xd73423e570d42742,
	"sha1":             0x2426d1e1f6e3c4d2,
	"sha256":           0x0868c9fa3e2bca89,
	"siphash":          0xb569980cdfd7e3cf,
	"splitmix64":       0x53751d7371d89be5,
	"wyhash":           0x3a78f87c64ec29f6,
	"xxh3":             0x2ea479ef1336527c,
	"xxh64":            0x46b1263f41a768b7,
}

// refusedWidenings are the ways that would suit the hash but by which bits of different blocks
// repeat, complement each other or correlate: they are errors. METHODOLOGY.md has the figures.
var refusedWidenings = map[string][]Widen{
	"crc32c":         {WidenCounter},
	"fnv1-64":        {WidenCounter},
	"fnv1a128":       {WidenCounter},
	"fnv1a64":        {WidenCounter},
	"lookup3":        {WidenReseed, WidenCounter},
	"multiply-shift": {WidenReseed},
	"murmur3-128":    {WidenReseed},
}
