"""Clusters around rows: k-medoids."""
