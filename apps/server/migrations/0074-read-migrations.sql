-- The checker compares functions, triggers and grants with those that the migrations make, and has to know which migrations there are.
GRANT SELECT ON public.migration TO sathorn_checker;
