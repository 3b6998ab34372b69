"""The server side of GTP: `tesuji gtp` at somebody else's board. The client side is in `tesuji.arena`."""
