"""Where the page is served: sockets, HTTPS, names in the network, and streams of live updates."""
