"""Who comes in, and how: the login, accounts, phones of the club's Wi-Fi, and trust by https."""
