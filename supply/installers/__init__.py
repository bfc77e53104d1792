"""Installers that somebody opens without a terminal: a program for Windows, an app for Macs."""
