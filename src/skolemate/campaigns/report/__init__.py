"""Reports: the rows of a store as tables and plots, the published figure beside ours."""

from skolemate.campaigns.report.contents import CampaignReport, gather

__all__ = ["CampaignReport", "gather"]
