// The allocator of the program (decisions/0044), for whoever is linked with this.

// It reads this before there is a main. What is free goes back to the system after a second, also
// on a server where nothing happens, and its addresses too: under a limit on those nothing else
// would find room, not even the reserve. A thread keeps no large blocks for itself.
extern "C" {
const char* malloc_conf =
    "background_thread:true,max_background_threads:1,dirty_decay_ms:1000,muzzy_decay_ms:0,"
    "retain:false,tcache_max:4096";
}
