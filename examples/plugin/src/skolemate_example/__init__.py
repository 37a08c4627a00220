"""A template for plug-ins of Skolemate."""
