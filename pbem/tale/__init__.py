"""What happened as one reader knows it, cut once: report, replay and pictures all tell it from here."""
